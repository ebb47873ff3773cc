import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { serveWorker } from "../jail/serve-worker.ts";

/** What a worker that means harm would try, for the tests of the jail. */
export type NosyRequest =
  | { act: "look"; port: number; secretFile: string }
  | { act: "spin" }
  | { act: "hoard" }
  | { act: "shout" }
  | { act: "throw" };

export type NosyReport = {
  firstByte: string;
  uid: number;
  environment: string[];
  canConnect: boolean;
  canReadSecret: boolean;
  canWrite: boolean;
  canListHome: boolean;
};

await serveWorker<NosyRequest, unknown>(async (request, { file }) => {
  if (request.act === "throw") throw new Error("a bug of ours");
  if (request.act === "spin") for (;;);
  if (request.act === "hoard") return hoard();
  if (request.act === "shout") return "x".repeat(8 * 2 ** 20);
  const report: NosyReport = {
    firstByte: readFileSync(file, "latin1").slice(0, 1),
    uid: process.getuid?.() ?? -1,
    environment: Object.keys(process.env).toSorted(),
    canConnect: await canConnect(request.port),
    canReadSecret: works(() => readFileSync(request.secretFile)),
    canWrite: works(() => writeFileSync("/tmp/greenlit-jail-test", "x")),
    canListHome: works(() => readdirSync("/root")) || works(() => readdirSync("/home")),
  };
  closeSync(openSync(file, "r"));
  return report;
});

function hoard(): number {
  const kept: Buffer[] = [];
  for (;;) kept.push(Buffer.alloc(16 * 2 ** 20, kept.length));
}

function works(act: () => unknown): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port });
    socket.on("connect", () => resolve(true));
    socket.on("error", () => resolve(false));
  });
}
