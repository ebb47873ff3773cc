import Fastify from "fastify";
import pg from "pg";
import { servePart } from "../part.ts";

export type BareReader = {
  argument: { databaseUrl: string; poolSize: number };
  ready: { url: string };
  commands: Record<string, never>;
};

/** The limit of reading over HTTP: Fastify, one named SELECT of the row, and nothing else. */
servePart<BareReader>(async ({ databaseUrl, poolSize }, stack) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  stack.defer(() => pool.end());
  const server = Fastify();
  stack.defer(() => server.close());
  const read = async (id: string) => {
    const { rows } = await pool.query<Record<string, unknown>>({
      name: "read_row",
      text: "select * from submissions where submission_id = $1",
      values: [id],
    });
    return rows[0];
  };
  server.get<{ Params: { id: string } }>("/submissions/:id", ({ params }) => read(params.id));
  return { ready: { url: await server.listen({ host: "127.0.0.1", port: 0 }) }, commands: {} };
});
