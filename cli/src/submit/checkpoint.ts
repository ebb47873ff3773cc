import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { UploadCheckpoint } from "@greenlit/sdk/src/upload-address.ts";
import { stateFolder } from "./state-folder.ts";

/** Where the upload of a file stands, kept so that the same command goes on after it was killed. */
export async function openCheckpoint(path: string, server: string) {
  const { size, mtimeMs } = await stat(path);
  const name = createHash("sha256")
    .update([server, resolve(path), size, mtimeMs].join("\n"))
    .digest("hex")
    .slice(0, 32);
  const folder = join(stateFolder(), "uploads");
  const file = join(folder, `${name}.json`);
  return {
    found: read(file),
    save(checkpoint: UploadCheckpoint): void {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // The signed address inside is a secret. Renamed into place, so that a kill leaves the old one or the new one.
      writeFileSync(`${file}.tmp`, JSON.stringify(checkpoint), { mode: 0o600 });
      renameSync(`${file}.tmp`, file);
    },
    remove: () => rmSync(file, { force: true }),
  };
}

function read(file: string): UploadCheckpoint | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as UploadCheckpoint;
  } catch {
    return undefined;
  }
}
