import assert from "node:assert/strict";
import { connect, createServer, type Socket } from "node:net";
import { after, before, test } from "node:test";
import pg from "pg";
import { until } from "@greenlit/engine/testing/until.ts";
import { createTestDatabase } from "../testing/test-database.ts";
import { openListener } from "./listen.ts";

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
before(async () => {
  database = await createTestDatabase();
  pool = new pg.Pool({ connectionString: database.url });
});
after(async () => {
  await pool.end();
  await database[Symbol.asyncDispose]();
});

const notify = (channel: string, payload: string) => pool.query("select pg_notify($1, $2)", [channel, payload]);

function listeners(): Promise<number> {
  return pool
    .query("select 1 from pg_stat_activity where application_name = 'greenlit-listen' and datname = current_database()")
    .then(({ rows }) => rows.length);
}

test("calls back with undefined when listening begins, then for every notification until it is disposed", async () => {
  await using listener = await openListener({ url: database.url, onError: () => {} });
  const heard: (string | undefined)[] = [];

  const registration = listener.on("one", (payload) => void heard.push(payload));
  await until(() => heard.length === 1);
  await notify("one", "a");
  await notify("two", "b");
  await notify("one", "");
  await until(() => heard.length === 3);
  registration[Symbol.dispose]();
  await notify("one", "c");
  await notify("one", "d");

  assert.deepEqual(heard, [undefined, "a", ""]);
});

test("several channels at once are asked for one after the other, which pg warns about otherwise", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);
  process.on("warning", warn);
  await using listener = await openListener({ url: database.url, onError: () => {} });
  const heard: string[] = [];

  for (const channel of ["first", "second", "third", "fourth"]) listener.on(channel, () => void heard.push(channel));
  await until(() => heard.length === 4);
  process.off("warning", warn);

  assert.deepEqual(
    warnings.map(({ message }) => message),
    [],
  );
});

test("every channel is heard again, and told that something may be missing, after the connection was ended", async () => {
  const errors: Error[] = [];
  await using listener = await openListener({ url: database.url, onError: (error) => void errors.push(error) });
  const heard = { one: [] as unknown[], two: [] as unknown[], late: [] as unknown[] };
  listener.on("one", (payload) => void heard.one.push(payload));
  listener.on("two", (payload) => void heard.two.push(payload));
  await until(() => heard.one.length === 1 && heard.two.length === 1);

  await pool.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'greenlit-listen'");
  await until(() => errors.length > 0);
  listener.on("late", (payload) => void heard.late.push(payload));
  await until(() => Object.values(heard).every((payloads) => payloads.at(-1) === undefined && payloads.length > 0));
  await until(() => heard.one.length === 2 && heard.two.length === 2);
  for (const channel of ["one", "two", "late"]) await notify(channel, "again");
  await until(() => Object.values(heard).every((payloads) => payloads.at(-1) === "again"));

  assert.deepEqual(heard.one, [undefined, undefined, "again"]);
  assert.equal(await listeners(), 1);
});

test("one connection comes back, not many, when the database was out of reach for a while", async () => {
  await using proxy = await startProxy(database.url);
  await using listener = await openListener({ url: proxy.url, onError: () => {} });
  const heard: unknown[] = [];
  listener.on("one", (payload) => void heard.push(payload));
  await until(() => heard.length === 1);

  proxy.isRefusing = true;
  proxy.cut();
  await until(() => proxy.refused >= 4);
  proxy.isRefusing = false;
  await until(() => heard.length === 2);
  await notify("one", "a");
  await until(() => heard.length === 3);

  assert.deepEqual(heard, [undefined, undefined, "a"]);
  assert.ok(proxy.refused <= 6, `tried ${proxy.refused} times`);
  assert.equal(await listeners(), 1);
});

test("no connection is left when it is disposed while it reconnects", async () => {
  await using proxy = await startProxy(database.url);
  const listener = await openListener({ url: proxy.url, onError: () => {} });
  proxy.cut();

  await listener[Symbol.asyncDispose]();

  await until(async () => (await listeners()) === 0);
});

/** A way to PostgreSQL that can be cut. */
async function startProxy(databaseUrl: string) {
  const target = new URL(databaseUrl);
  const own = new URL(databaseUrl);
  const sockets = new Set<Socket>();
  const proxy = { url: "", isRefusing: false, refused: 0, cut: () => sockets.forEach((socket) => socket.destroy()) };
  const server = createServer((socket) => {
    if (proxy.isRefusing) {
      proxy.refused += 1;
      socket.destroy();
      return;
    }
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const end of [socket, upstream]) sockets.add(end.on("error", () => {}));
    socket.pipe(upstream).pipe(socket);
    socket.on("close", () => upstream.destroy());
    upstream.on("close", () => socket.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  own.host = `127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  proxy.url = own.href;
  return Object.assign(proxy, {
    async [Symbol.asyncDispose]() {
      proxy.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
