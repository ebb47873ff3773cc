function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const header = Buffer.alloc(8);
  header.writeUInt32BE(body.length + 8, 0);
  header.write(type, 4, "latin1");
  return Buffer.concat([header, body]);
}

function number(value: number, bytes = 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

/** Only what describes: no picture and no sound. A phone's place and make, as keys and as the older four letters. */
export function phoneMp4(): Buffer {
  const keys = ["com.apple.quicktime.location.ISO6709", "com.apple.quicktime.make", "com.apple.quicktime.model"];
  const values = ["+48.8577+002.2950+035.000/", "Golden", "Phone Two"];
  const data = (text: string) => box("data", number(1), number(0), Buffer.from(text));
  const meta = box(
    "meta",
    box("hdlr", number(0), number(0), Buffer.from("mdta"), Buffer.alloc(13)),
    box("keys", number(0), number(keys.length), ...keys.map((key) => box("mdta", Buffer.from(key)))),
    box("ilst", ...values.map((value, index) => box(number(index + 1).toString("latin1"), data(value)))),
  );
  const place = Buffer.from("+10.0000-020.0000/");
  const userData = box("udta", box("\u00a9xyz", number(place.length, 2), number(0x15c7, 2), place));
  return Buffer.concat([
    box("ftyp", Buffer.from("isom"), number(512), Buffer.from("isommp42")),
    box("moov", meta, userData),
    box("mdat", Buffer.alloc(16)),
  ]);
}

/** An ID3 tag of version 3 before one silent frame. */
export function taggedMp3(): Buffer {
  const frame = (id: string, body: Buffer) =>
    Buffer.concat([Buffer.from(id), number(body.length), Buffer.alloc(2), body]);
  const frames = Buffer.concat([
    frame("TPE1", Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from("Zoë Voice", "utf16le")])),
    frame("TCOP", Buffer.from("\u00002026 Example Ltd", "latin1")),
    frame("TXXX", Buffer.from("\u0000Client\u0000Secret Client", "latin1")),
  ]);
  const size = Buffer.from([0, 0, frames.length >> 7, frames.length & 127]);
  return Buffer.concat([
    Buffer.from("ID3\u0003\u0000\u0000"),
    size,
    frames,
    Buffer.from("fffb9064", "hex"),
    Buffer.alloc(413),
  ]);
}
