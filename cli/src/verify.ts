import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { readPublishedKeys, type Envelope, type PublishedKeys } from "@greenlit/server/certificates/dsse.ts";
import { verifyCertificate } from "@greenlit/server/certificates/verify-certificate.ts";
import { CommandError } from "./command-error.ts";
import { addCommand } from "./operator.ts";
import { print } from "./print.ts";

/** Not 1, which says that the certificate or the file is not good. */
const notVerified = 2;

export function addVerifyCommand(program: Command): void {
  addCommand(program, {
    name: "verify",
    description: "check that a file is the one that a certificate clears; needs no service and no database",
    example: "greenlit verify ad.mxf --certificate ad.certificate.json --keys greenlit-keys.json",
  })
    .argument("<file>", "the file that will be broadcast or published")
    .requiredOption("--certificate <file>", "the certificate, as the API answered it, or its envelope alone")
    .requiredOption("--keys <file>", "the service's /.well-known/greenlit-keys.json, saved")
    .addHelpText(
      "after",
      `
Exit codes: 0 the certificate is valid and the file is identical, 1 it is not, 2 something could not be read.
Whether a certificate was revoked is known to the service only: POST /verify asks it.`,
    )
    .action(async (file: string, options: { certificate: string; keys: string; json?: boolean }) => {
      process.exitCode = notVerified;
      const envelope = envelopeOf(await readJson(options.certificate));
      const keys = readPublishedKeys((await readJson(options.keys)) as PublishedKeys);
      const checked = verifyCertificate(envelope, { keys, now: new Date(), sha256: await hashOf(file) });
      process.exitCode = checked.trust === "VALID" && checked.file === "IDENTICAL" ? 0 : 1;
      const predicate = checked.statement?.predicate;
      print(options, checked, [
        `certificate  ${checked.trust}${checked.reason === null ? "" : `: ${checked.reason}`}`,
        ...(checked.file === null ? [] : [`file         ${checked.file}`]),
        ...(predicate === undefined
          ? []
          : [
              `number       ${predicate.number}, ${predicate.decision.decision} by ${predicate.decision.decidedBy.name ?? "a key"} for ${predicate.decision.markets.join(", ") || "no declared market"}`,
              `valid        ${predicate.issuedAt.slice(0, 10)} to ${predicate.expiresAt.slice(0, 10)}`,
              predicate.wording,
            ]),
      ]);
    });
}

async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CommandError(`${path} is not JSON.`);
  }
}

function envelopeOf(value: unknown): Envelope {
  const candidate = (value as { envelope?: unknown } | null)?.envelope ?? value;
  const { payloadType, payload, signatures } = (candidate ?? {}) as Partial<Envelope>;
  if (typeof payloadType !== "string" || typeof payload !== "string" || !Array.isArray(signatures))
    throw new CommandError("The certificate has no DSSE envelope. Save the answer of the API unchanged.");
  return { payloadType, payload, signatures };
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const piece of createReadStream(path)) hash.update(piece as Buffer);
  return hash.digest("hex");
}
