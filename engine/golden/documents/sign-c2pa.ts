import { execFileSync } from "node:child_process";
import { createPrivateKey, createSign, X509Certificate } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { initSync, WasmBuilder } from "@contentauth/c2pa-wasm";
import { sourceTypes } from "./xmp.ts";

type Chain = { key: string; certificates: Buffer[] };

/** Signs a picture as made by a model, with a chain of certificates that nobody trusts. Needs openssl. */
export async function signAsMachineMade(picture: Buffer, format: string): Promise<Buffer> {
  installBrowser();
  const chain = makeChain();
  const manifest = {
    claim_generator_info: [{ name: "Golden Generator", version: "1.0" }],
    assertions: [
      {
        label: "c2pa.actions",
        data: { actions: [{ action: "c2pa.created", digitalSourceType: `${sourceTypes}/trainedAlgorithmicMedia` }] },
      },
    ],
  };
  const builder = WasmBuilder.fromJson(
    JSON.stringify(manifest),
    JSON.stringify({ builder: { thumbnail: { enabled: false } } }),
  );
  const signer = {
    alg: "es256",
    reserveSize: 4096,
    sign: async (claim: Uint8Array<ArrayBuffer>) => sign(claim, chain),
  };
  return Buffer.from(await builder.sign(signer, [], format, memoryBlob(new Uint8Array(picture))));
}

/** A COSE signature over the claim; the claim itself stands elsewhere in the file. */
function sign(claim: Uint8Array, { key, certificates }: Chain): Uint8Array<ArrayBuffer> {
  const protectedHeader = Buffer.concat([
    head(5, 2),
    head(0, 1),
    head(1, 6),
    head(0, 33),
    head(4, certificates.length),
    ...certificates.map(bytes),
  ]);
  const toSign = Buffer.concat([
    head(4, 4),
    text("Signature1"),
    bytes(protectedHeader),
    bytes(Buffer.alloc(0)),
    bytes(claim),
  ]);
  const signature = createSign("sha256")
    .update(toSign)
    .sign({ key: createPrivateKey(key), dsaEncoding: "ieee-p1363" });
  const build = (pad: number) =>
    Buffer.concat([
      head(6, 18),
      head(4, 4),
      bytes(protectedHeader),
      head(5, 1),
      text("pad"),
      bytes(Buffer.alloc(pad)),
      Buffer.from([0xf6]),
      bytes(signature),
    ]);
  // The place for it was measured out before: it must be filled to the byte.
  const bare = build(300);
  return new Uint8Array(build(300 + 4096 - bare.length));
}

/** A root and a signer beneath it: the standard refuses a certificate that signed itself. */
function makeChain(): Chain {
  const folder = mkdtempSync(join(tmpdir(), "golden-c2pa-"));
  const path = (name: string) => join(folder, name);
  const openssl = (...args: string[]) => execFileSync("openssl", args, { stdio: "pipe" });
  try {
    writeFileSync(
      path("signer.ext"),
      "basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=emailProtection\nsubjectKeyIdentifier=hash\nauthorityKeyIdentifier=keyid\n",
    );
    for (const name of ["root", "signer"])
      openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", path(`${name}.key`));
    openssl(
      "req",
      "-x509",
      "-new",
      "-key",
      path("root.key"),
      "-sha256",
      "-days",
      "36500",
      "-subj",
      "/O=Golden Kit/CN=Golden Root",
      "-addext",
      "keyUsage=critical,keyCertSign",
      "-out",
      path("root.pem"),
    );
    openssl(
      "req",
      "-new",
      "-key",
      path("signer.key"),
      "-sha256",
      "-subj",
      "/O=Golden Kit/CN=Golden Signer",
      "-out",
      path("signer.csr"),
    );
    openssl(
      "x509",
      "-req",
      "-in",
      path("signer.csr"),
      "-CA",
      path("root.pem"),
      "-CAkey",
      path("root.key"),
      "-CAcreateserial",
      "-sha256",
      "-days",
      "36500",
      "-extfile",
      path("signer.ext"),
      "-out",
      path("signer.pem"),
    );
    openssl("pkcs8", "-topk8", "-nocrypt", "-in", path("signer.key"), "-out", path("signer.pkcs8"));
    const certificates = ["signer", "root"].map((name) => new X509Certificate(readFileSync(path(`${name}.pem`))).raw);
    return { key: readFileSync(path("signer.pkcs8"), "utf8"), certificates };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function head(major: number, value: number): Buffer {
  const kind = major << 5;
  if (value < 24) return Buffer.from([kind | value]);
  if (value < 256) return Buffer.from([kind | 24, value]);
  return Buffer.from([kind | 25, value >> 8, value & 255]);
}

function bytes(content: Uint8Array): Buffer {
  return Buffer.concat([head(2, content.length), content]);
}

function text(content: string): Buffer {
  return Buffer.concat([head(3, content.length), Buffer.from(content)]);
}

function memoryBlob(content: Uint8Array): Blob {
  const blob = {
    content,
    size: content.length,
    slice: (from: number, to: number) => memoryBlob(content.subarray(from, to)),
  };
  return blob as unknown as Blob;
}

function installBrowser(): void {
  function FileReaderSync() {
    return { readAsArrayBuffer: (blob: unknown) => Uint8Array.from((blob as { content: Uint8Array }).content).buffer };
  }
  Object.assign(globalThis, { FileReaderSync });
  initSync({ module: readFileSync(fileURLToPath(import.meta.resolve("@contentauth/c2pa-wasm/c2pa.wasm"))) });
}
