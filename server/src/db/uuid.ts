import { randomBytes } from "node:crypto";

/** A UUID of version 7: time first, so that the rows of one moment share index pages. */
export function uuidv7(now: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | 0x70, 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  return format(bytes);
}

/** What every version 7 UUID of an earlier moment is less than. */
export function firstUuidAt(moment: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(moment.getTime(), 0, 6);
  return format(bytes);
}

function format(bytes: Buffer): string {
  const hex = bytes.toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
