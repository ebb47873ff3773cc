import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Measurements } from "@greenlit/engine/measurements.ts";
import { recordAnalysis } from "../../submissions/running/record-analysis.ts";
import { startTestService, type TestService } from "../../testing/test-service.ts";

/** Nobody analyses here: the tests say what was measured. */
let service: TestService;
before(async () => {
  service = await startTestService({ role: "api" });
});
after(() => service[Symbol.asyncDispose]());

/** An asset that was analysed with this result, or is still waiting. */
async function givenAsset(measurements?: Partial<Measurements>) {
  const workspace = await service.newWorkspace();
  const { submissionId, assets } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  const assetId = assets[0]?.assetId ?? "";
  if (measurements) {
    const { workspaceId } = workspace;
    const result = { findings: [], measurements, frames: [], context: {} };
    await service.app.db
      .updateTable("assets")
      .set({ status: "processing", run: 1 })
      .where("assetId", "=", assetId)
      .execute();
    assert.ok(await recordAnalysis(service.app, { submissionId, workspaceId, assetId, run: 1, result }));
  }
  const get = async (part: string) => workspace.call("GET", `/submissions/${submissionId}/assets/${assetId}/${part}`);
  return { workspace, get };
}

const curve = { startSeconds: 0, stepSeconds: 0.1, momentaryLufs: [null, -23.1], shortTermLufs: [null, null] };
const loudness = {
  integratedLufs: -23,
  maxShortTermLufs: -22.4,
  maxMomentaryLufs: -20.1,
  rangeLu: 3.2,
  truePeakDbtp: -1.5,
  curve,
};
const region = { x: 0.1, y: 0.8, width: 0.5, height: 0.1 };
const priceSuper = {
  text: "ONLY £9.99\na café",
  startSeconds: 2,
  endSeconds: 5.04,
  heightLines: 31,
  heightShare: 0.0287,
  contrastRatio: 4.4,
  region,
  isMoving: false,
  confidence: 0.97,
};
const segments = [
  { startSeconds: 0.5, endSeconds: 2, text: "Now only nine", confidence: 0.9, isDoubtful: false },
  { startSeconds: 2, endSeconds: 3.5, text: "ninety nine at your Café.", confidence: 0.8, isDoubtful: false },
];

test("measurements are answered under the names of the interface, and null where nobody asked", async () => {
  const flashes = {
    notJudged: null,
    maxGeneralPerSecond: 4,
    maxRedPerSecond: 0,
    wcag: { maxGeneralPerSecond: 4, maxRedPerSecond: 0 },
    sequences: [
      {
        kind: "general" as const,
        startSeconds: 1,
        endSeconds: 2,
        flashes: 4,
        areaShare: 0.26,
        standard: "broadcast" as const,
        maxPerSecond: 4,
        windowShare: 1,
        region: null,
      },
    ],
    curve: { stepSeconds: 0.04, luminance: [12.5], generalPerSecond: [4], redPerSecond: [0] },
  };
  const { get } = await givenAsset({ loudness, flashes, supers: [priceSuper], speech: { segments, notJudged: null } });

  const { status, json } = await get("measurements");

  assert.equal(status, 200);
  assert.deepEqual(json["loudness"], loudness);
  assert.deepEqual(json["flashes"], flashes);
  assert.deepEqual(json["supers"], [priceSuper]);
  assert.deepEqual(json["speech"], { segmentCount: 2, notJudged: null });
  const rest = [
    "patterns",
    "tones",
    "black",
    "freezes",
    "silences",
    "captions",
    "nudity",
    "pages",
    "omissions",
    "image",
    "suggestedContext",
  ];
  for (const key of [...rest, "metadata"]) assert.equal(json[key], null, key);
});

test("what an older or newer engine measured is served as it is", async () => {
  const { get } = await givenAsset({ loudness: { integratedLufs: -23, novelty: 1 } } as unknown as Measurements);

  const { status, json } = await get("measurements");

  assert.equal(status, 200);
  assert.deepEqual(json["loudness"], { integratedLufs: -23, novelty: 1 });
});

test("the transcript is a page of what is said; empty when nothing is", async () => {
  const spoken = await givenAsset({ speech: { segments, notJudged: null } });
  const silent = await givenAsset({ loudness });

  const [transcript, nothing] = await Promise.all([spoken.get("transcript"), silent.get("transcript")]);
  const first = await spoken.get("transcript?limit=1");
  const second = await spoken.get(`transcript?limit=1&cursor=${String(first.json["nextCursor"])}`);

  assert.deepEqual(transcript.json, { data: segments, hasMore: false, nextCursor: null });
  assert.deepEqual([nothing.status, nothing.json], [200, { data: [], hasMore: false, nextCursor: null }]);
  assert.deepEqual([first.json["data"], first.json["hasMore"]], [segments.slice(0, 1), true]);
  assert.deepEqual(second.json, { data: segments.slice(1), hasMore: false, nextCursor: null });
});

test("404 for measurements, transcript and search until the asset has finished", async () => {
  const { get } = await givenAsset();

  for (const part of ["measurements", "transcript", "search?q=a"]) {
    const { status, json } = await get(part);

    assert.deepEqual([status, json["error_code"]], [404, "asset_not_finished"], part);
  }
});

test("words are found where they are seen and said, whatever case, accents, signs and breaks", async () => {
  const { get } = await givenAsset({ supers: [priceSuper], speech: { segments, notJudged: null } });

  const cafe = await get("search?q=CAFE");
  const price = await get(`search?q=${encodeURIComponent("9,99 a café")}`);
  const running = await get(`search?q=${encodeURIComponent("nine, ninety")}`);
  const none = await get("search?q=%E2%80%A6");

  const screen = { source: "screen", text: priceSuper.text, startSeconds: 2, endSeconds: 5.04, page: null, region };
  const said = { source: "speech", page: null, region: null };
  const at = { text: "ninety nine at your Café.", startSeconds: 2, endSeconds: 3.5 };
  assert.deepEqual(cafe.json, { data: [screen, { ...said, ...at }], hasMore: false, nextCursor: null });
  assert.deepEqual(price.json["data"], [screen]);
  const both = { text: "Now only nine ninety nine at your Café.", startSeconds: 0.5, endSeconds: 3.5 };
  assert.deepEqual(running.json["data"], [{ ...said, ...both }]);
  assert.deepEqual(none.json["data"], []);
});

test("a search of documents and captions names the line and its page or time, page by page", async () => {
  const cue = { startSeconds: 1, endSeconds: 2, text: "Terms\napply", lines: ["Terms", "apply"] };
  const captions = [{ language: "en", codec: "srt", cues: [cue] }];
  const pages = [1, 2, 3].map((page) => ({ page, text: `Offer ${page}\nTerms\n apply here.` }));
  const document = await givenAsset({ pages });
  const captioned = await givenAsset({ captions, pages });

  const first = await document.get("search?q=terms%20apply&limit=2");
  const second = await document.get(`search?q=terms%20apply&limit=2&cursor=${String(first.json["nextCursor"])}`);
  const caption = await captioned.get("search?q=terms%20apply");

  const hit = (page: number) => ({ source: "document", text: "Terms apply here.", page });
  const shown = (answer: typeof first) =>
    (answer.json["data"] as Record<string, unknown>[]).map(({ source, text, page }) => ({ source, text, page }));
  assert.deepEqual(shown(first), [hit(1), hit(2)]);
  assert.deepEqual([shown(second), second.json["hasMore"]], [[hit(3)], false]);
  assert.deepEqual(shown(caption), [{ source: "caption", text: "Terms apply", page: null }]);
});
