import { Type, type Static, type TSchema } from "typebox";
import { Value } from "typebox/value";
import type { Endpoint } from "./second-reader.ts";

export type ModelAnswer = { text: string; tokens: number | undefined };

/** The endpoint could not be reached, refused, stalled, or speaks another protocol. */
export class ModelUnavailable extends Error {
  override name = "ModelUnavailable";
}

const maxAnswerBytes = 1024 * 1024;

type Question = { system: string; message: string; images: readonly string[]; maxTokens: number };

/** Asks once, or again by the name that the endpoint wants for the limit. The operator chose the endpoint; a redirect would hand key and words to somebody else. */
export async function askModel(
  endpoint: Endpoint,
  question: Question & { timeoutMs: number; signal: AbortSignal },
): Promise<ModelAnswer> {
  const timeout = AbortSignal.timeout(question.timeoutMs);
  const signal = AbortSignal.any([question.signal, timeout]);
  try {
    let answer = await send(endpoint, question, signal);
    if (answer.status === 400 && wantsOtherName(endpoint, answer.text)) {
      namesCompletionTokens.add(endpoint);
      answer = await send(endpoint, question, signal);
    }
    if (answer.status !== 200) throw new ModelUnavailable(`the endpoint answered with ${answer.status}`);
    return answer.read(parse(answer.text));
  } catch (error) {
    question.signal.throwIfAborted();
    if (timeout.aborted) throw new ModelUnavailable(`no answer within ${question.timeoutMs / 1000} s`);
    if (error instanceof ModelUnavailable) throw error;
    throw new ModelUnavailable("the endpoint could not be reached", { cause: error });
  }
}

async function send(endpoint: Endpoint, question: Question, signal: AbortSignal) {
  const { path, headers, body, read } = protocols[endpoint.api](endpoint, question);
  const response = await fetch(endpoint.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body: JSON.stringify(body),
    redirect: "manual",
    signal,
  });
  return { status: response.status, text: await readLimited(response), read };
}

/** Endpoints whose model takes the limit of an answer as `max_completion_tokens`, as OpenAI's newer ones do. */
const namesCompletionTokens = new WeakSet<Endpoint>();

function wantsOtherName(endpoint: Endpoint, refusal: string): boolean {
  return endpoint.api === "openai" && !namesCompletionTokens.has(endpoint) && refusal.includes("max_completion_tokens");
}

async function readLimited({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    size += part.length;
    if (size > maxAnswerBytes) throw new ModelUnavailable(`the answer is longer than ${maxAnswerBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ModelUnavailable("the endpoint did not answer with JSON");
  }
}

function checked<Schema extends TSchema>(schema: Schema, content: unknown): Static<Schema> {
  if (!Value.Check(schema, content)) throw new ModelUnavailable("the endpoint speaks another protocol");
  return content;
}

type Protocol = (
  endpoint: Endpoint,
  question: Question,
) => { path: string; headers: Record<string, string>; body: unknown; read: (content: unknown) => ModelAnswer };

const OpenAiAnswer = Type.Object({
  choices: Type.Array(Type.Object({ message: Type.Object({ content: Type.String() }) }), { minItems: 1 }),
  usage: Type.Optional(Type.Object({ total_tokens: Type.Number() })),
});

const AnthropicAnswer = Type.Object({
  content: Type.Array(Type.Object({ type: Type.String(), text: Type.Optional(Type.String()) })),
  usage: Type.Optional(Type.Object({ input_tokens: Type.Number(), output_tokens: Type.Number() })),
});

const protocols: Record<Endpoint["api"], Protocol> = {
  openai: (endpoint, { system, message, images, maxTokens }) => ({
    path: "/chat/completions",
    headers: endpoint.key === undefined ? {} : { authorization: `Bearer ${endpoint.key}` },
    body: {
      model: endpoint.model,
      [namesCompletionTokens.has(endpoint) ? "max_completion_tokens" : "max_tokens"]: maxTokens,
      response_format: { type: "json_object" },
      messages: [
        { role: "system", content: system },
        {
          role: "user",
          content: [
            { type: "text", text: message },
            ...images.map((data) => ({ type: "image_url", image_url: { url: `data:image/jpeg;base64,${data}` } })),
          ],
        },
      ],
    },
    read(content) {
      const { choices, usage } = checked(OpenAiAnswer, content);
      return { text: choices[0]?.message.content ?? "", tokens: usage?.total_tokens };
    },
  }),
  anthropic: ({ key, model }, { system, message, images, maxTokens }) => ({
    path: "/messages",
    headers: { "anthropic-version": "2023-06-01", ...(key !== undefined && { "x-api-key": key }) },
    body: {
      model,
      max_tokens: maxTokens,
      system,
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: message },
            ...images.map((data) => ({ type: "image", source: { type: "base64", media_type: "image/jpeg", data } })),
          ],
        },
      ],
    },
    read(content) {
      const { content: parts, usage } = checked(AnthropicAnswer, content);
      const text = parts.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
      return { text, tokens: usage && usage.input_tokens + usage.output_tokens };
    },
  }),
};
