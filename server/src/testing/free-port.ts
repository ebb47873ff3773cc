import { once } from "node:events";
import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/** A port that stays free until the test listens on it: it lies below the range that systems choose from. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    try {
      await once(server.listen(port, "127.0.0.1"), "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
