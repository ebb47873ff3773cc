import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import { restoreBackup } from "@greenlit/server/backup/restore-backup.ts";
import { writeBackup } from "@greenlit/server/backup/write-backup.ts";
import { readConfig } from "@greenlit/server/config.ts";
import { claimDataFolder } from "@greenlit/server/data-folder.ts";
import { openEmbeddedPostgres, startEmbeddedPostgres } from "@greenlit/server/db/embedded-postgres.ts";
import { openListener } from "@greenlit/server/db/listen.ts";
import { openRemoteStore } from "@greenlit/server/open-store.ts";
import { openQueue } from "@greenlit/server/queue/queue.ts";
import { fingerprintOf } from "@greenlit/server/secret-key.ts";
import { folderLayout } from "@greenlit/server/storage/folder/folder-layout.ts";
import { CommandError } from "./command-error.ts";
import { addCommand, dataFolderOf } from "./operator.ts";
import { print } from "./print.ts";

export function addBackupCommands(program: Command): void {
  addCommand(program, {
    name: "backup",
    description: "write everything into one file, while the service runs or not",
    example: "greenlit backup /backups/greenlit-2026-11-16.tar.zst",
  })
    .argument("<file>", "where to; it must not exist yet")
    .option("--no-media", "only list the media, for those who back up the store by other means")
    .action(async (file: string, options: { media: boolean; json?: boolean }) => {
      const { manifest, ...counts } = await backUp(resolve(file), options.media);
      const rows = Object.values(counts.rows).reduce((sum, count) => sum + count, 0);
      if (counts.lost > 0) process.exitCode = 1;
      print(
        options,
        { file: resolve(file), createdAt: manifest.createdAt, includesMedia: manifest.includesMedia, ...counts },
        [
          `Wrote ${resolve(file)}: ${rows} rows, ${counts.jobs} waiting jobs, ${counts.files} files.`,
          manifest.includesMedia
            ? `It holds everything${manifest.includesSecretKey ? ", the secret key too" : " but the secret key (GREENLIT_SECRET_KEY)"}. Keep it where nobody else can read it.`
            : `It lists ${counts.objects} objects of the store (${manifest.store}) and does not hold them. Back up the store by its own means.`,
          ...(counts.lost > 0
            ? [`${counts.lost} objects that rows need are not in the store: \`greenlit storage check\` names them.`]
            : []),
        ],
      );
    });

  addCommand(program, {
    name: "restore",
    description: "restore a backup into an empty data folder or an empty database",
    example: "GREENLIT_DATA_DIR=./restored greenlit restore /backups/greenlit-2026-11-16.tar.zst",
  })
    .argument("<file>", "what `greenlit backup` wrote")
    .action(async (file: string, options: { json?: boolean }) => {
      const { manifest, missing, ...counts } = await restore(resolve(file));
      const rows = Object.values(counts.rows).reduce((sum, count) => sum + count, 0);
      if (missing.length > 0) process.exitCode = 1;
      print(options, { createdAt: manifest.createdAt, includesMedia: manifest.includesMedia, missing, ...counts }, [
        `Restored the backup of ${manifest.createdAt}: ${rows} rows, ${counts.jobs} waiting jobs, ${counts.files} files.`,
        ...(missing.length > 0
          ? [
              `${missing.length} objects are not in the store, the first is ${missing[0]}. Restore the store to the same moment, then run \`greenlit storage check\`.`,
            ]
          : ["Next: greenlit serve"]),
      ]);
    });
}

async function backUp(file: string, includesMedia: boolean) {
  const { config } = readConfig(process.env);
  const dataFolder = dataFolderOf(config);
  if (!config.databaseUrl && !existsSync(dataFolder))
    throw new CommandError(`There is no data folder ${dataFolder}. Set GREENLIT_DATA_DIR to the one to back up.`);
  await using stack = new AsyncDisposableStack();
  const databaseUrl =
    config.databaseUrl ??
    stack.use(await openEmbeddedPostgres({ dir: config.dataDir, command: "greenlit backup" })).url;
  const root = join(dataFolder, "store");
  const keyFile = join(dataFolder, "secret.key");
  return writeBackup({
    file,
    databaseUrl,
    storeKind: config.store,
    storeFolder: includesMedia && config.store === "folder" ? { root, fileOf: folderLayout(root).fileOf } : undefined,
    secretKey: config.secretKey === undefined && existsSync(keyFile) ? readFileSync(keyFile, "utf8") : undefined,
    now: new Date(),
    onProgress: showProgress,
  });
}

async function restore(file: string) {
  const { config } = readConfig(process.env);
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(
    await claimDataFolder({ dir: config.dataDir, command: "greenlit restore", isTransient: true }),
  );
  if (!folder.isNew)
    throw new CommandError(
      `The data folder ${folder.path} is not empty, and a restore never overwrites. Set GREENLIT_DATA_DIR to a new one.`,
    );
  let isDone = false;
  stack.defer(async () => {
    // What a failed restore leaves would refuse the next one.
    if (!isDone)
      for (const name of ["store", "secret.key", "postgres", "postgres.password", "postgres-binaries", "logs"])
        await rm(join(folder.path, name), { recursive: true, force: true });
  });
  const databaseUrl = config.databaseUrl ?? stack.use(await startEmbeddedPostgres({ dataFolder: folder.path })).url;
  const remote = await openRemoteStore(config);
  if (remote) stack.use(remote);
  const missing: string[] = [];
  const restored = await restoreBackup({
    file,
    databaseUrl,
    storeRoot: remote ? undefined : join(folder.path, "store"),
    secretKeyFile: config.secretKey ? undefined : join(folder.path, "secret.key"),
    check(manifest) {
      if (!config.secretKey && !manifest.includesSecretKey)
        throw new CommandError(
          "This backup does not hold the secret key. Set GREENLIT_SECRET_KEY to the key that the backed-up service used.",
        );
      if (manifest.includesMedia && remote)
        throw new CommandError(
          `This backup holds the media of a folder, and GREENLIT_STORE is ${config.store}. Restore it with GREENLIT_STORE=folder.`,
        );
      if (
        config.secretKey &&
        manifest.secretKeyFingerprint &&
        fingerprintOf(config.secretKey) !== manifest.secretKeyFingerprint
      )
        throw new CommandError(
          "GREENLIT_SECRET_KEY is not the key of this backup: what it keeps secret could not be read. Set the key that the backed-up service used.",
        );
    },
    async onListed({ objectKey, etag }) {
      if (!remote) missing.push(objectKey);
      else if (etag !== null && (await remote.head(objectKey)) === null) missing.push(objectKey);
    },
    async enqueue(jobs) {
      await using parts = new AsyncDisposableStack();
      const onError = () => {};
      const listener = parts.use(await openListener({ url: databaseUrl, onError }));
      const { boss } = parts.use(await openQueue({ url: databaseUrl, listener, onError }));
      for (const [name, ofQueue] of Map.groupBy(jobs, (job) => job.name))
        await boss.insert(
          name,
          ofQueue.map(({ data, priority, startAfter }) => ({ data, priority, startAfter })),
        );
    },
    onProgress: showProgress,
  });
  isDone = true;
  return { ...restored, missing };
}

function showProgress({ table, files }: { table?: string; files?: number }): void {
  if (!process.stderr.isTTY) return;
  process.stderr.write(`\r\u001b[K${table === undefined ? `${files} files` : `table ${table}`}`);
  if (table === undefined) process.stderr.write("\r\u001b[K");
}
