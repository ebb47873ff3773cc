import { closeSync, openSync, readSync } from "node:fs";
import { soundSampleRate } from "../evidence/evidence.ts";

/** Run by findJail(): can a worker load our code and read its input here? */
const descriptor = openSync(process.argv[2] ?? "", "r");
const isReadable = readSync(descriptor, Buffer.alloc(1)) === 1;
closeSync(descriptor);
process.exitCode = isReadable && soundSampleRate > 0 ? 0 : 1;
