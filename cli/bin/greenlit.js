#!/usr/bin/env node
// Plain JavaScript, so that any Node can say what is missing: the rest is TypeScript, which needs Node 24.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { constants } from "node:os";
import process from "node:process";
import { fileURLToPath } from "node:url";

const main = new URL("../src/main.ts", import.meta.url);

if (Number(process.versions.node.split(".")[0]) >= 24) await start(process.argv.slice(2));
else runWithOwnNode();

async function start(args) {
  // Loaded only here: an older Node cannot load it.
  const { keepCompiledCode, openKept } = await import("./kept-code.js");
  keepCompiledCode();
  const kept = openKept(args);
  if (kept === undefined) return import(main.href);
  const { runKept } = await import(kept.program);
  return runKept(kept.folder);
}

function runWithOwnNode() {
  const node = ownNode();
  if (!node) {
    console.error(
      `greenlit needs Node 24 or later, and this is ${process.version}. On Linux (x64, arm64) \`npm ci\` brings its own: run it without --omit=optional. Elsewhere install Node 24.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: "inherit" });
  // The child is in the same terminal and hears Ctrl-C itself; a signal sent to this process alone is passed on.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => process.exit(code ?? 128 + (signal ? constants.signals[signal] : 0)));
}

function ownNode() {
  try {
    return createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/bin/node`);
  } catch {
    return undefined;
  }
}
