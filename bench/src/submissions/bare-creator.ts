import { analysisQueues } from "@greenlit/server/queue/queues.ts";
import { uuidv7 } from "@greenlit/server/db/uuid.ts";
import pg from "pg";
import { PgBoss } from "pg-boss";
import { allAtOnce } from "../at-once.ts";
import { servePart } from "../part.ts";

export type BareCreator = {
  argument: { databaseUrl: string; poolSize: number };
  ready: null;
  commands: {
    /** Gives the seconds it took. */
    create(options: { count: number; atOnce: number }): Promise<number>;
  };
};

/**
 * The limit of creating submissions: the same rows and the same job in one transaction, by prepared statements. The job
 * wakes the workers as the service's does, which the commit pays for.
 */
servePart<BareCreator>(async ({ databaseUrl, poolSize }, stack) => {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: poolSize });
  stack.defer(() => pool.end());
  const boss = new PgBoss({
    db: { executeSql: (text, values) => pool.query(text, values) },
    useListenNotify: true,
    supervise: false,
    schedule: false,
    createSchema: false,
    migrate: false,
  });
  await boss.start();
  stack.defer(() => boss.stop({ graceful: false }));
  const workspaceId = "ws_bare";
  await pool.query("insert into workspaces (workspace_id, name, plan) values ($1, 'bare', 'scale')", [workspaceId]);

  async function createOne(client: pg.PoolClient, uploadId: string): Promise<void> {
    const [submissionId, assetId, mediaId, versionGroupId] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()];
    const workflowId = `wf_${uuidv7().replaceAll("-", "")}`;
    const insert = (name: keyof typeof statements, values: unknown[]) =>
      client.query({ name, text: statements[name], values });
    await client.query("begin");
    await insert("submission", [submissionId, workspaceId, workflowId]);
    await insert("media", [mediaId, workspaceId, uploadId]);
    await insert("versionGroup", [versionGroupId, workspaceId]);
    await boss.insert(analysisQueues.small, [{ data: { assetId, submissionId, workspaceId, workflowId } }], {
      db: { executeSql: (text, values) => client.query(text, values) },
    });
    await insert("asset", [assetId, submissionId, workspaceId, mediaId, versionGroupId, workflowId]);
    await insert("message", [submissionId, workspaceId, JSON.stringify({ submissionId, status: "submitted" })]);
    await client.query("commit");
  }

  return {
    ready: null,
    commands: {
      async create({ count, atOnce }) {
        const { rows } = await pool.query<{ upload_id: string }>(
          `insert into uploads (upload_id, workspace_id, filename, content_type, object_key, issued_at)
            select id, $1, id || '.txt', 'text/plain', $1 || '/' || id, now()
            from (select uuidv7() as id from generate_series(1, $2::int)) made
            returning upload_id`,
          [workspaceId, count],
        );
        const startedAt = performance.now();
        await allAtOnce(rows, atOnce, async ({ upload_id }) => {
          const client = await pool.connect();
          await createOne(client, upload_id);
          client.release();
        });
        return (performance.now() - startedAt) / 1000;
      },
    },
  };
});

const statements = {
  submission: `insert into submissions (submission_id, workspace_id, mode, workflow_id, status, sidekick_ids,
    event_number, created_at) values ($1, $2, 'live', $3, 'submitted', '{}', 1, now())`,
  media: `insert into media (media_id, workspace_id, upload_id, source_etag, reference, etag, size_bytes)
    values ($1, $2, $3, 'a', 'bare', 'a', 14)`,
  versionGroup: `insert into version_groups (version_group_id, workspace_id, last_version_number) values ($1, $2, 1)`,
  asset: `insert into assets (asset_id, submission_id, workspace_id, position, media_id, filename, content_type,
    size_bytes, version_group_id, version_number, status, workflow_id)
    values ($1, $2, $3, 0, $4, 'note.txt', 'text/plain', 14, $5, 1, 'submitted', $6)`,
  message: `insert into realtime_messages (submission_id, event_number, workspace_id, event, data, created_at)
    values ($1, 1, $2, 'submission.status', $3, now())`,
};
