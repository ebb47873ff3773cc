import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { SaxesParser } from "saxes";
import type { BlockList } from "./object-file.ts";

/** A refusal in the words of Azure's protocol: `code` goes into the XML and into `x-ms-error-code`. */
export class ProtocolError extends Error {
  override name = "ProtocolError";
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

/** Where a block list wants a block from: what was staged, what the object consists of, or the former before the latter. */
export type BlockSource = "Latest" | "Uncommitted" | "Committed";
export type BlockListEntry = { source: BlockSource; id: string };

const maxListedBlocks = 50_000;
const maxBlockListBytes = 8 * 1024 * 1024;
const maxBlockIdBytes = 64;

export function errorXml(code: string, message: string): string {
  return `<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`;
}

export function blockListXml(lists: { committed?: BlockList; uncommitted?: BlockList }): string {
  const print = (name: string, blocks: BlockList | undefined) =>
    blocks === undefined
      ? ""
      : `<${name}>${blocks.map(({ id, sizeBytes }) => `<Block><Name>${id}</Name><Size>${sizeBytes}</Size></Block>`).join("")}</${name}>`;
  const content = print("CommittedBlocks", lists.committed) + print("UncommittedBlocks", lists.uncommitted);
  return `<?xml version="1.0" encoding="utf-8"?><BlockList>${content}</BlockList>`;
}

/** A block id in its one canonical form: two spellings of one id would be two blocks. */
export function parseBlockId(text: string): string {
  const bytes = Buffer.from(text, "base64");
  const id = bytes.toString("base64");
  if (bytes.length > 0 && bytes.length <= maxBlockIdBytes && id === text) return id;
  throw new ProtocolError(400, "InvalidQueryParameterValue", `A block id is base64 of 1 to ${maxBlockIdBytes} bytes.`);
}

/** Parses the body of Put Block List as it arrives, so that a hostile one is refused before it is all in memory. */
export async function parseBlockList(body: Readable): Promise<{ entries: BlockListEntry[]; md5: string }> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const { parser, entries } = blockListParser();
  const md5 = createHash("md5");
  let receivedBytes = 0;
  // Leaving the loop early must not destroy a request that still has to be answered.
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    receivedBytes += chunk.length;
    if (receivedBytes > maxBlockListBytes)
      throw new ProtocolError(413, "RequestBodyTooLarge", `A block list has at most ${maxBlockListBytes} bytes.`);
    md5.update(chunk);
    parser.write(decodeUtf8(decoder, chunk));
  }
  parser.write(decodeUtf8(decoder)).close();
  return { entries, md5: md5.digest("base64") };
}

function blockListParser(): { parser: SaxesParser; entries: BlockListEntry[] } {
  const entries: BlockListEntry[] = [];
  const open: string[] = [];
  let text = "";
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw invalidXml(error.message);
  });
  parser.on("doctype", () => {
    throw invalidXml("A document type is not allowed.");
  });
  parser.on("opentag", ({ name }) => {
    const isExpected = open.length === 0 ? name === "BlockList" : open.length === 1 && isSource(name);
    if (!isExpected) throw invalidXml(`<${name}> is not expected here.`);
    open.push(name);
    text = "";
  });
  parser.on("text", (part) => {
    text += part;
  });
  parser.on("closetag", ({ name }) => {
    open.pop();
    if (isSource(name)) entries.push({ source: name, id: parseBlockId(text.trim()) });
    if (entries.length > maxListedBlocks)
      throw new ProtocolError(400, "BlockListTooLong", `A block list names at most ${maxListedBlocks} blocks.`);
  });
  return { parser, entries };
}

function isSource(name: string): name is BlockSource {
  return name === "Latest" || name === "Uncommitted" || name === "Committed";
}

function decodeUtf8(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch (error) {
    throw invalidXml("It is not UTF-8.", error);
  }
}

function invalidXml(problem: string, cause?: unknown): ProtocolError {
  return Object.assign(new ProtocolError(400, "InvalidXmlDocument", `The block list is not valid: ${problem}`), {
    cause,
  });
}

function escapeXml(text: string): string {
  return text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
}
