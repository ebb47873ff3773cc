import type { Config } from "./config.ts";
import { claimDataFolder, type LocatedDataFolder } from "./data-folder.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./db/embedded-postgres.ts";

export type Role = "all" | "api" | "worker";

/** What the service stands on. PostgreSQL may still be starting; undefined where it is somebody else's. */
export type Ground = { folder: LocatedDataFolder; postgres: Promise<EmbeddedPostgres> | undefined } & AsyncDisposable;

/** Needs little of the program, so that PostgreSQL can start in its own process while the rest is still being loaded. */
export async function openGround({ config, role }: { config: Config; role: Role }): Promise<Ground> {
  await using stack = new AsyncDisposableStack();
  // Processes of the other roles share a machine, and keep nothing in this folder that is theirs alone.
  const folder =
    role === "all"
      ? stack.use(await claimDataFolder({ dir: config.dataDir, command: "greenlit serve", waitSeconds: 10 }))
      : { path: config.dataDir, moved: null };
  const postgres =
    role === "all" && config.databaseUrl === undefined ? startEmbeddedPostgres({ dataFolder: folder.path }) : undefined;
  // Thrown where it is awaited.
  postgres?.catch(() => undefined);
  const held = stack.move();
  return {
    folder,
    postgres,
    async [Symbol.asyncDispose]() {
      const started = await postgres?.catch(() => undefined);
      await started?.[Symbol.asyncDispose]();
      await held.disposeAsync();
    },
  };
}
