import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import type { ModelsOwner } from "@greenlit/engine/models/open-models.ts";
import type { Context, Sidekick } from "@greenlit/engine/sidekick.ts";
import { type CheckedFile, type CheckedIssue, checkFile } from "../check/check-file.ts";
import { placeOf } from "../check/places.ts";
import { CommandError } from "../command-error.ts";

type GivenContext = { [Key in keyof Context]?: Context[Key] | undefined };

/** Checks drafts by the path of `greenlit check`. Files outside the roots are not read, whatever leads to them. */
export function createDraftChecker(options: {
  sidekicks: readonly Sidekick[];
  roots: readonly string[];
  models: ModelsOwner;
}) {
  const { sidekicks, roots, models } = options;

  async function check(path: string, context: GivenContext, signal: AbortSignal) {
    const declared = Object.fromEntries(Object.entries(context).filter(([, value]) => value !== undefined)) as Context;
    const file = await checkFile(path, {
      sidekicks,
      context: declared,
      wantsFrames: false,
      models,
      signal,
      onProgress: () => {},
    });
    return describeFile(file);
  }

  return {
    async checkFile(path: string, context: GivenContext, signal: AbortSignal) {
      const real = await realpath(resolve(roots[0] ?? ".", path)).catch(() => {
        throw new CommandError(`There is no file ${path}.`);
      });
      const allowed = await Promise.all(roots.map((root) => realpath(root)));
      if (!allowed.some((root) => real.startsWith(root.endsWith(sep) ? root : root + sep)))
        throw new CommandError(`${path} is outside the folders that may be read: ${roots.join(", ")}.`);
      return { path, ...(await check(real, context, signal)) };
    },
    async checkText(text: string, context: GivenContext, signal: AbortSignal) {
      const folder = await mkdtemp(join(tmpdir(), "greenlit-mcp-"));
      try {
        const file = join(folder, "draft.txt");
        await writeFile(file, text, { mode: 0o600 });
        return await check(file, context, signal);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

function describeFile({ kind, status, errorType, errorMessage, issues, measurements }: CheckedFile) {
  if (status === "failed") return { status, errorType, errorMessage };
  return { status, kind, notChecked: measurements?.omissions ?? [], findings: issues.map(describeIssue) };
}

/** What helps to change the draft, without the figures that only programs want. */
export function describeIssue(issue: CheckedIssue) {
  const { severity, ruleCode, summary, recommendation, severityReasoning, citation, status, sidekickName } = issue;
  return {
    severity,
    ruleCode,
    summary,
    recommendation,
    severityReasoning,
    citation,
    status,
    sidekickName,
    where: placeOf(issue),
    quote: issue.location?.quote ?? null,
  };
}
