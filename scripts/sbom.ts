import { readFileSync } from "node:fs";
import { describeSbom, type Lock } from "./describe-sbom.ts";

/** Prints what an install of the product brings, as CycloneDX JSON. `npm sbom` refuses a tree with our overrides. */
const lock = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as Lock;
const { version } = JSON.parse(readFileSync(new URL("../cli/package.json", import.meta.url), "utf8")) as {
  version: string;
};
process.stdout.write(`${JSON.stringify(describeSbom(lock, { version, now: new Date() }), null, 2)}\n`);
