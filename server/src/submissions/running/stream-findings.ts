import { setTimeout as delay } from "node:timers/promises";
import type { Finding } from "@greenlit/engine/finding.ts";
import type { Kysely } from "kysely";
import type { App } from "../../app.ts";
import type { Tables } from "../../db/tables.ts";
import type { Message } from "../../realtime/record-message.ts";
import { compactIssue } from "../issues/issue.ts";
import { makeIssues, withDistinctFingerprints } from "../issues/make-issues.ts";
import { changeSubmission } from "./change-submission.ts";
import type { AssetRun } from "./start-asset.ts";
import { findCurrentRun } from "./submission-snapshot.ts";

export type FindingStream = {
  /** May be called as often as findings come. */
  add: (finding: Finding) => void;
  /** The analysis starts over: listeners forget what it found so far. */
  restart(): Promise<void>;
  /** Waits for what is on its way. Gives what was sent, as ids by fingerprints; the rest is sent with the result. */
  stop(): Promise<ReadonlyMap<string, string>>;
};

const intervalMs = 500;

/**
 * Streams the findings of a running analysis to a submission's listeners: the first finding at once, later ones together
 * twice a second, so that a thousand findings are not a thousand transactions. Each is sent with the id and the number
 * of the issue that it becomes.
 */
export function createFindingStream(
  app: App,
  { run, context }: { run: AssetRun; context: Record<string, unknown> },
): FindingStream {
  const { submissionId, workspaceId } = run.submission;
  const { assetId } = run.asset;
  const told = new Map<string, string>();
  let findings: Finding[] = [];
  let telling: { done: Promise<void>; stopping: AbortController } | undefined;

  const untold = () => withDistinctFingerprints(findings).filter(({ fingerprint }) => !told.has(fingerprint));

  async function tellUntilNothingIsLeft(signal: AbortSignal): Promise<void> {
    for (let found = untold(); found.length > 0 && !signal.aborted; found = untold()) {
      await tell(found).catch((error: unknown) => app.log.warn({ err: error, assetId }, "findings not sent yet"));
      await delay(intervalMs, undefined, { signal }).catch(() => {});
    }
  }

  async function tell(found: readonly Finding[]): Promise<void> {
    const options = { asset: run.asset, findings: found, context, knownIds: told, now: app.now() };
    const issues = await app.db.transaction().execute(async (trx) => {
      const made = await makeIssues(trx, options);
      await write(
        trx,
        made.map((issue) => ({ event: "asset.issue", data: { assetId, issue: compactIssue(issue) } })),
      );
      return made;
    });
    for (const { fingerprint, issueId } of issues) told.set(fingerprint, issueId);
  }

  /** A worker that was taken over sends nothing. */
  async function write(trx: Kysely<Tables> | undefined, messages: Message[]): Promise<void> {
    await changeSubmission(app, {
      submissionId,
      workspaceId,
      trx,
      decide: (state) =>
        findCurrentRun(state, { assetId, run: run.run })?.status === "processing" ? { messages } : undefined,
    });
  }

  function startTelling(): typeof telling {
    const stopping = new AbortController();
    const done = tellUntilNothingIsLeft(stopping.signal).finally(() => {
      telling = undefined;
    });
    return { done, stopping };
  }

  async function stop(): Promise<ReadonlyMap<string, string>> {
    telling?.stopping.abort();
    await telling?.done;
    return told;
  }

  return {
    add: (finding) => {
      findings.push(finding);
      telling ??= startTelling();
    },
    stop,
    async restart() {
      await stop();
      if (told.size > 0) await write(undefined, [{ event: "asset.restarted", data: { assetId } }]);
      told.clear();
      findings = [];
    },
  };
}
