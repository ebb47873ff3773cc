import type { EvidenceFrame } from "@greenlit/engine/evidence/frames/frames.ts";
import { nowhere, type Finding } from "@greenlit/engine/finding.ts";
import { fingerprintOf } from "@greenlit/engine/fingerprint.ts";
import type { Measurements } from "@greenlit/engine/measurements.ts";
import type { Context } from "@greenlit/engine/sidekick.ts";
import type { App } from "../app.ts";
import type { SecondReadingOutcome } from "../db/tables.ts";
import { askModel, ModelUnavailable } from "./ask-model.ts";
import type { SecondReader } from "./create-second-reader.ts";
import { checkRewordings, type Proposal } from "./check-rewordings.ts";
import { makeMaterial, type Material } from "./material.ts";
import { AnswerRefused, parseAnswer, type Look } from "./parse-answer.ts";
import type { Prompt } from "./prompt.ts";
import { keepReading, reserveTokens, settleTokens } from "./readings.ts";
import { secondReaderId, secondReaderName } from "./second-reader.ts";

type Asset = {
  workspaceId: string;
  assetId: string;
  sidekickIds: readonly string[];
  context: Context;
  findings: readonly Finding[];
  measurements: Partial<Measurements>;
  frames: readonly EvidenceFrame[];
  /** Packed, as it is kept; undefined: rewordings cannot be tried. */
  evidence: Buffer | undefined;
};

/**
 * The findings of the rules in their order, some with a note, and after them what the model asks a person to look at.
 * Whatever goes wrong with the model, the findings of the rules are as they were.
 */
export async function readAfterRules(app: App, asset: Asset, signal: AbortSignal): Promise<readonly Finding[]> {
  const { findings, workspaceId } = asset;
  if (!app.secondReader || !asset.sidekickIds.includes(secondReaderId)) return findings;
  const { secondReader: mode } = await app.workspaceDefaults.of(workspaceId);
  const material = mode === "off" ? undefined : makeMaterial({ mode, ...asset });
  if (!material) return findings;
  const reading = await ask(app, { reader: app.secondReader, asset, material, signal });
  return reading === undefined ? findings : use(app, { reader: app.secondReader, asset, material, ...reading });
}

type Parsed = ReturnType<typeof parseAnswer>;
type Kept = { outcome: SecondReadingOutcome; detail?: string; answer?: string; tokens?: number };
type Note = (kept: Kept) => Promise<void>;

/** Asks within the limits of time and cost. Undefined: there is no answer to use; why is kept. */
async function ask(
  app: App,
  options: { reader: SecondReader; asset: Asset; material: Material; signal: AbortSignal },
): Promise<{ parsed: Parsed; note: Note } | undefined> {
  const { reader, asset, material, signal } = options;
  const { endpoint, prompt } = reader;
  const { llmMaxTokens: maxTokens, llmTimeout: timeoutMs, llmDailyTokens: perDay } = app.config;
  const { workspaceId, assetId } = asset;
  const startedAt = performance.now();
  const keep: Note = async ({ outcome, detail = null, answer = null, tokens = 0 }) => {
    const durationMs = Math.round(performance.now() - startedAt);
    const { message: request, images } = material;
    const said = { outcome, detail, answer, tokens, durationMs, request, imageCount: images.length };
    await keepReading(app, { workspaceId, assetId, model: endpoint.model, promptVersion: prompt.version, ...said });
    app.log.info({ workspaceId, assetId, outcome, detail, tokens, durationMs }, "second reading");
  };

  const reservation = await reserveTokens(app, {
    workspaceId,
    tokens: estimateTokens(prompt, material) + maxTokens,
    perDay,
  });
  if (!reservation) {
    await keep({ outcome: "over_budget", detail: `the workspace has used its ${perDay} tokens of the day` });
    return undefined;
  }
  try {
    const { system } = prompt;
    const { message, images } = material;
    const answer = await askModel(endpoint, { system, message, images, maxTokens, timeoutMs, signal });
    const tokens = answer.tokens ?? reservation.tokens;
    await settleTokens(app, reservation, tokens);
    try {
      const parsed = parseAnswer(answer.text, { findingCount: material.findings.length, words: material.words });
      return { parsed, note: (kept) => keep({ ...kept, answer: answer.text, tokens }) };
    } catch (error) {
      if (!(error instanceof AnswerRefused)) throw error;
      await keep({ outcome: "refused", detail: error.message, answer: answer.text, tokens });
      return undefined;
    }
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    // What was set aside stays spent: a model that stalled may have worked all the same.
    await keep({ outcome: "unavailable", detail: error.message, tokens: reservation.tokens });
    return undefined;
  }
}

async function use(
  app: App,
  options: { reader: SecondReader; asset: Asset; material: Material; parsed: Parsed; note: Note },
): Promise<Finding[]> {
  const { reader, asset, material, parsed, note } = options;
  const { explanations, looks, dropped } = parsed;
  const proposals = explanations.flatMap(({ finding: number, rewording }): Proposal[] => {
    const finding = material.findings[number - 1];
    return finding?.location?.quote && rewording !== null ? [{ finding, rewording }] : [];
  });
  const { evidence, context } = asset;
  const sidekickIds = asset.sidekickIds.filter((id) => id !== secondReaderId);
  const passed = evidence ? await checkRewordings(app, { proposals, evidence, sidekickIds, context }) : [];
  const good = new Map(
    proposals.filter((_, index) => passed[index]).map(({ finding, rewording }) => [finding, rewording]),
  );
  const notes = new Map(
    explanations.flatMap(({ finding: number, explanation }) => {
      const finding = material.findings[number - 1];
      return finding ? [[finding, { explanation, rewording: good.get(finding) ?? null }] as const] : [];
    }),
  );
  const failed = proposals.length - good.size;
  const detail = [
    ...(dropped > 0 ? [`${dropped} entries dropped`] : []),
    ...(failed > 0 ? [`${failed} of ${proposals.length} rewordings did not pass the rules`] : []),
  ].join("; ");
  await note({ outcome: "used", ...(detail !== "" && { detail }) });
  return [
    ...asset.findings.map((finding) => {
      const secondReader = notes.get(finding);
      return secondReader ? { ...finding, secondReader } : finding;
    }),
    ...looks.map((look) => toFinding(look, reader)),
  ];
}

const ruleCode = "SECOND-READER-LOOK";

function toFinding({ quote, concern, severity }: Look, { endpoint, prompt }: SecondReader): Finding {
  return {
    ruleCode,
    ruleVersion: prompt.version,
    ruleSummary: "Words that a language model asks a person to look at",
    sidekickId: secondReaderId,
    sidekickName: secondReaderName,
    packVersion: prompt.version,
    summary: `A language model asks a person to look at: "${quote}"`,
    severity,
    severityReasoning: `${concern} This is the opinion of a language model (${endpoint.model}), not of a rule.`,
    severityReasoningHeadline: "A language model is concerned",
    needsHuman: true,
    precedents: [],
    fingerprint: fingerprintOf({ ruleCode, identity: quote }),
    location: { ...nowhere, quote },
    measurement: null,
    recommendation: "Decide whether the words may stay.",
    citation: null,
  };
}

/** Rather too many: three letters a token, and what a frame of 1,280 pixels costs at the usual models. */
function estimateTokens({ system }: Prompt, { message, images }: Material): number {
  return Math.ceil((system.length + message.length) / 3) + images.length * 1600;
}
