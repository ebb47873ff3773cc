import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** `refused`: connections break, and new ones are refused. `silent`: nothing comes through, and nobody is told. */
export type Cut = "refused" | "silent";

export type CutProxy = AsyncDisposable & {
  port: number;
  cut(how: Cut): Promise<void>;
  /** With `isNewPath` the connections of before stay dead without a word, as after a failover. */
  heal(options: { isNewPath: boolean }): Promise<void>;
};

/** A way to another address that can be cut. */
export async function openCutProxy(target: { host: string; port: number }): Promise<CutProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const waiting = new Set<Socket>();
  let state: Cut | undefined;
  const server = createServer((near) => {
    near.on("error", () => {});
    if (state === "silent") {
      waiting.add(near);
      near.pause();
      return;
    }
    const far = connect(target);
    far.on("error", () => {});
    const pair = [near, far] as const;
    pairs.add(pair);
    near.pipe(far);
    far.pipe(near);
    for (const socket of pair)
      socket.on("close", () => {
        // In silence nobody hears that the other end has gone.
        if (state === "silent") return;
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
  });
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));
  await listen(0);
  const { port } = server.address() as AddressInfo;
  const destroyAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
    for (const socket of waiting) socket.destroy();
    pairs.clear();
    waiting.clear();
  };

  return {
    port,
    async cut(how) {
      state = how;
      if (how === "refused") {
        const closed = new Promise((resolve) => server.close(resolve));
        destroyAll();
        await closed;
        return;
      }
      for (const [near, far] of pairs) {
        near.unpipe(far).pause();
        far.unpipe(near).pause();
      }
    },
    async heal({ isNewPath }) {
      const was = state;
      state = undefined;
      if (was === "refused") return listen(port);
      if (isNewPath) {
        // The far ends go, or their transactions would hold locks; the near ends wait for an answer that never comes.
        for (const [, far] of pairs) far.destroy();
        return;
      }
      for (const [near, far] of pairs) {
        near.pipe(far);
        far.pipe(near);
      }
      for (const socket of waiting) socket.destroy();
      waiting.clear();
    },
    async [Symbol.asyncDispose]() {
      destroyAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
