import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { readPublishedKeys, type Envelope, type PublishedKeys } from "@greenlit/server/certificates/dsse.ts";
import { verifyCertificate } from "@greenlit/server/certificates/verify-certificate.ts";
import { CommandError } from "./command-error.ts";
import { compareWithPrint, linesOf, withoutPictures, writePictures } from "./verify-content.ts";
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
    .option("--print <file>", "the print of the cleared file, saved: tells a re-encoded copy from an altered one")
    .option("--pictures <folder>", "where to put pictures of what differs, before and after")
    .addHelpText(
      "after",
      `
What the file is:
  IDENTICAL     byte for byte what was cleared
  SAME_ESSENCE  the same coded picture and sound in another container
  SAME_CONTENT  coded anew, and shows and plays the same
  ALTERED       something else is seen, heard or written, or it has to be judged by a person
  DIFFERENT     another film, picture or text
  NOT_IDENTICAL other bytes, and without --print nothing more can be told

Exit codes: 0 the certificate is valid and the file is one of the first three, 1 it is not, 2 something could not be read.
Whether a certificate was revoked is known to the service only: POST /verify asks it.`,
    )
    .action(async (file: string, options: VerifyOptions) => {
      process.exitCode = notVerified;
      const envelope = envelopeOf(await readJson(options.certificate));
      const keys = readPublishedKeys((await readJson(options.keys)) as PublishedKeys);
      const sha256 = await hashOf(file);
      const checked = verifyCertificate(envelope, { keys, now: new Date(), sha256 });
      const content =
        checked.statement !== null && checked.file === "NOT_IDENTICAL" && options.print !== undefined
          ? await compareWithPrint({ file, sha256, print: options.print, statement: checked.statement })
          : null;
      const match = content?.match ?? checked.file;
      const isGood = match === "IDENTICAL" || match === "SAME_ESSENCE" || match === "SAME_CONTENT";
      process.exitCode = checked.trust === "VALID" && isGood ? 0 : 1;
      if (content !== null && options.pictures !== undefined) await writePictures(options.pictures, content);
      const predicate = checked.statement?.predicate;
      print(options, { ...checked, file: match, content: content && withoutPictures(content) }, [
        `certificate  ${checked.trust}${checked.reason === null ? "" : `: ${checked.reason}`}`,
        ...(match === null ? [] : [`file         ${match}`]),
        ...(content === null ? [] : linesOf(content)),
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

type VerifyOptions = { certificate: string; keys: string; print?: string; pictures?: string; json?: boolean };

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
