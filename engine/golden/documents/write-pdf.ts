import { createHash } from "node:crypto";

/** A PDF of these objects, numbered from 1. Strings are Latin-1; the first object is the catalogue. */
export function writePdf(objects: (string | Buffer)[], trailer = ""): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", "latin1")];
  const offsets: number[] = [];
  let length = parts[0]?.length ?? 0;
  const push = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const [index, body] of objects.entries()) {
    offsets.push(length);
    push(Buffer.from(`${index + 1} 0 obj\n`));
    push(typeof body === "string" ? Buffer.from(body, "latin1") : body);
    push(Buffer.from("\nendobj\n"));
  }
  const start = length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}`));
  push(Buffer.from(`trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`));
  return Buffer.concat(parts);
}

export function stream(content: string | Buffer, dictionary = ""): Buffer {
  const body = typeof content === "string" ? Buffer.from(content, "latin1") : content;
  return Buffer.concat([
    Buffer.from(`<< /Length ${body.length} ${dictionary} >>\nstream\n`),
    body,
    Buffer.from("\nendstream"),
  ]);
}

/** A document that only opens with a password: RC4 with 40 bits, the first security handler of PDF. */
export function writeLockedPdf(password: string): Buffer {
  const id = Buffer.from("00112233445566778899aabbccddeeff", "hex");
  const permissions = -4;
  const padded = pad(password);
  const ownerKey = md5(padded).subarray(0, 5);
  const owner = rc4(ownerKey, padded);
  const flags = Buffer.alloc(4);
  flags.writeInt32LE(permissions);
  const key = md5(Buffer.concat([padded, owner, flags, id])).subarray(0, 5);
  const user = rc4(key, pad(""));
  const objectKey = md5(Buffer.concat([key, Buffer.from([4, 0, 0, 0, 0])])).subarray(0, 10);
  const content = rc4(objectKey, Buffer.from("BT /F1 12 Tf 72 720 Td (Secret) Tj ET"));
  return writePdf(
    [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
      stream(content),
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
      `<< /Filter /Standard /V 1 /R 2 /P ${permissions} /O <${owner.toString("hex")}> /U <${user.toString("hex")}> >>`,
    ],
    `/Encrypt 6 0 R /ID [<${id.toString("hex")}> <${id.toString("hex")}>]`,
  );
}

const padding = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");

function pad(password: string): Buffer {
  return Buffer.concat([Buffer.from(password, "latin1"), padding]).subarray(0, 32);
}

function md5(data: Buffer): Buffer {
  return createHash("md5").update(data).digest();
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Array.from({ length: 256 }, (_, index) => index);
  const swap = (a: number, b: number) => ([state[a], state[b]] = [state[b] ?? 0, state[a] ?? 0]);
  for (let i = 0, j = 0; i < 256; i += 1) {
    j = (j + (state[i] ?? 0) + (key[i % key.length] ?? 0)) % 256;
    swap(i, j);
  }
  let [i, j] = [0, 0];
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) % 256;
      j = (j + (state[i] ?? 0)) % 256;
      swap(i, j);
      return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) % 256] ?? 0);
    }),
  );
}
