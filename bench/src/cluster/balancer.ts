import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { freePort } from "@greenlit/server/testing/free-port.ts";
import { say } from "../report.ts";

/**
 * haproxy in front of the APIs, as in production: it asks each whether it is ready, and sends a request that found a
 * closed door to another. Without it callers take the APIs in turn, and see each that is down.
 */
export async function openBalancer(
  stack: AsyncDisposableStack,
  options: { folder: string; ports: readonly number[] },
): Promise<{ nextUrl: () => string; name: string }> {
  const port = await freePort();
  const file = join(options.folder, "haproxy.cfg");
  await writeFile(file, configuration(port, options.ports));
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "ignore"] });
  const isThere = await new Promise<boolean>((resolve) => {
    child.once("spawn", () => resolve(true));
    child.once("error", () => resolve(false));
  });
  if (isThere) {
    stack.defer(() => void child.kill("SIGKILL"));
    return { nextUrl: () => `http://127.0.0.1:${port}`, name: "haproxy" };
  }
  say("haproxy is not installed (apt-get install -y haproxy): callers take the APIs in turn");
  let turn = 0;
  return { nextUrl: () => `http://127.0.0.1:${options.ports[turn++ % options.ports.length]}`, name: "none" };
}

function configuration(port: number, ports: readonly number[]): string {
  return `
defaults
  mode http
  timeout connect 2s
  timeout client 310s
  timeout server 310s
  option redispatch
  retries 3
  retry-on conn-failure
frontend greenlit
  bind 127.0.0.1:${port}
  default_backend apis
backend apis
  balance roundrobin
  option httpchk GET /readyz
${ports.map((each, index) => `  server api${index} 127.0.0.1:${each} check inter 500ms fall 1 rise 1`).join("\n")}
`;
}
