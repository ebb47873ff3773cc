import { spawnSync } from "node:child_process";
import { accessSync, constants, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Makes the golden media kit again: engine/golden/generate.sh and every make-* beside it, or only those whose names are
 * given. A script names the programs that it needs in the comment at its head; one that lacks some is left out and the
 * files that it makes stay as they are.
 */
const folder = fileURLToPath(new URL("../engine/golden/", import.meta.url));
const chosen = process.argv.slice(2);

/** The program and the Debian package that has it. */
const packages: Record<string, string> = {
  ffmpeg: "ffmpeg",
  openssl: "openssl",
  "heif-enc": "libheif-examples",
  "espeak-ng": "espeak-ng",
  flite: "flite",
  sox: "sox",
  zip: "zip",
};

const scripts = readdirSync(folder)
  .filter((name) => /^(generate|make-.*)\.(sh|ts)$/.test(name))
  .filter((name) => chosen.length === 0 || chosen.some((part) => name.includes(part)))
  .toSorted();
const results = scripts.map((name) => ({ name, outcome: run(name) }));

console.log();
for (const { name, outcome } of results) console.log(`${name.padEnd(20)} ${outcome}`);
console.log(
  "\nEncoders of other versions write other bytes: `git diff --stat` says what changed, and the tests whether it matters.",
);
process.exitCode = results.length > 0 && results.every(({ outcome }) => outcome === "made") ? 0 : 1;

function run(name: string): string {
  const missing = neededBy(name).filter((program) => !isInstalled(program));
  if (missing.length > 0) {
    const names = missing.map((program) => packages[program]).join(" ");
    return `left out: ${missing.join(" and ")} not found (apt-get install -y ${names})`;
  }
  console.log(`${name} …`);
  const program = name.endsWith(".ts") ? process.execPath : "sh";
  const { status, signal } = spawnSync(program, [join(folder, name)], { stdio: "inherit" });
  return status === 0 ? "made" : `failed (${signal ?? `exit ${status}`})`;
}

function neededBy(name: string): string[] {
  const head = readFileSync(join(folder, name), "utf8").slice(0, 2000);
  return Object.keys(packages).filter((program) => new RegExp(`(?<![\\w-])${program}(?![\\w-])`).test(head));
}

function isInstalled(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((place) => {
    try {
      accessSync(join(place, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
