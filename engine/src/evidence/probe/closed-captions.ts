import { open } from "node:fs/promises";

/** Captions come with every frame: the start of a film shows whether it has them. */
const searchedBytes = 8 * 2 ** 20;
/** ATSC A/53: captions among the user data of a picture. */
const mark = Buffer.from("GA94\u0003", "latin1");

/** Whether captions are hidden in the picture (CEA-608 or 708), as American television has them. */
export async function hasClosedCaptions(file: string): Promise<boolean> {
  await using handle = await open(file, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(searchedBytes), 0, searchedBytes, 0);
  const bytes = buffer.subarray(0, bytesRead);
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) {
    if (hasWords(bytes.subarray(at + mark.length))) return true;
  }
  return false;
}

/** A count, a byte, then three bytes each: whether they count, and two letters. Encoders send empty ones all the time. */
function hasWords(data: Buffer): boolean {
  const count = (data[0] ?? 0) & 31;
  for (let index = 0; index < count; index += 1) {
    const [kind = 0, first = 0, second = 0] = data.subarray(2 + index * 3, 5 + index * 3);
    const isValid = (kind & 0xfc) === 0xfc;
    if (isValid && ((first & 127) !== 0 || (second & 127) !== 0)) return true;
  }
  return false;
}
