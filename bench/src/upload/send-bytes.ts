import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";

const chunk = Buffer.alloc(1024 * 1024, "A line of a plain note.\n");

/** PUTs so many bytes from memory, and gives the seconds until the answer; anything but a success throws. */
export async function sendBytes(url: string, sizeBytes: number): Promise<number> {
  const startedAt = performance.now();
  const sending = request(url, {
    method: "PUT",
    agent: false,
    headers: { "content-length": sizeBytes, "x-ms-blob-type": "BlockBlob" },
  });
  const answered = once(sending, "response") as Promise<[IncomingMessage]>;
  // An early refusal is reported by the answer, not by the broken pipe.
  answered.catch(() => {});
  for (let sent = 0; sent < sizeBytes; sent += chunk.length) {
    const isFull = !sending.write(chunk.subarray(0, Math.min(chunk.length, sizeBytes - sent)));
    if (isFull) await Promise.race([once(sending, "drain"), answered]);
  }
  sending.end();
  const [answer] = await answered;
  answer.resume();
  await once(answer, "end");
  const { statusCode = 0 } = answer;
  if (statusCode < 200 || statusCode > 299) throw new Error(`${new URL(url).origin} answered a PUT with ${statusCode}`);
  return (performance.now() - startedAt) / 1000;
}
