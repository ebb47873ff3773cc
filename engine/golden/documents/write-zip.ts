import { crc32, deflateRawSync } from "node:zlib";

/** A zip of these parts, deflated, dated 1980 so that the same input gives the same bytes. */
export function writeZip(parts: Record<string, string | Buffer>): Buffer {
  return writePackedZip(
    Object.entries(parts).map(([name, content]) => {
      const bytes = Buffer.from(content);
      return { name, packed: deflateRawSync(bytes), sizeBytes: bytes.length, crc: crc32(bytes) };
    }),
  );
}

/** For bombs: the packed bytes as they are, with whatever size they claim to have. */
export function writePackedZip(entries: { name: string; packed: Buffer; sizeBytes: number; crc: number }[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, packed, sizeBytes, crc } of entries) {
    const label = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt16LE(0x21, 8);
    common.writeUInt32LE(crc, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(sizeBytes, 18);
    common.writeUInt16LE(label.length, 22);
    const local = Buffer.concat([Buffer.from("504b0304", "hex"), common, label, packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("504b01021400", "hex"), common, tail, label]));
    files.push(local);
    offset += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("504b0506", 0, "hex");
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, list, end]);
}
