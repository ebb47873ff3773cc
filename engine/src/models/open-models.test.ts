import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmodSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { AnalysisError } from "../analysis-error.ts";
import type { AnalysisRequest } from "../analyze.ts";
import { runAnalysisInChild } from "../child.ts";
import { findJail, rememberJail, workingJails } from "../jail/jail.ts";
import { golden, mediaTypeOf } from "../testing/golden.ts";
import { commandOf, descendantsOf, isRunning } from "../testing/processes.ts";
import { makeScratch } from "../testing/scratch.ts";
import { makeSidekick } from "../testing/sidekicks.ts";
import { findModels, packageFile } from "./find-models.ts";
import { poolSize } from "./models-pool.ts";
import { openModels } from "./open-models.ts";
import { until } from "../testing/until.ts";

const limits = { memoryBytes: 256 * 2 ** 20, timeoutSeconds: 240 };
const skip =
  process.platform !== "linux"
    ? "the processes are read from /proc"
    : findModels().canHearSpeech
      ? false
      : "the models are not installed here";
const quiet = new Int16Array(512);

test("two analyses at once are served by one process, which the next file finds ready", { skip }, async () => {
  await using models = openModels({ processes: 1 });

  const [medicine, music] = await Promise.all([
    runAnalysisInChild(listenTo("speech-espeak.ogg"), { ...limits, models }),
    runAnalysisInChild(listenTo("speech-none-music.ogg"), { ...limits, models }),
  ]);
  const first = modelsProcesses();
  const noise = await runAnalysisInChild(listenTo("speech-none-noise.ogg"), { ...limits, models });

  assert.match(medicine.measurements.speech?.segments.at(-1)?.text ?? "", /read the label/i);
  assert.equal(medicine.findings.length, 1);
  assert.deepEqual(music.measurements.speech?.segments, []);
  assert.deepEqual(noise.measurements.speech?.segments, []);
  assert.ok(first.length > 0);
  assert.deepEqual(modelsProcesses(), first);
});

test("an analysis that is given no models opens its own, and they end with it", { skip }, async () => {
  const { measurements } = await runAnalysisInChild(listenTo("speech-none-noise.ogg"), limits);

  assert.deepEqual(measurements.speech, { segments: [], notJudged: null });
  await until(() => modelsProcesses().length === 0);
});

test("a crash costs the file that was being heard one failure, and the next file works", { skip }, async () => {
  await using models = openModels({ processes: 1 });
  const hearing = runAnalysisInChild(listenTo("speech-espeak.ogg"), { ...limits, models });
  hearing.catch(() => undefined);
  await until(() => modelsProcesses().length > 0);

  process.kill(modelsProcesses().at(-1) ?? 0, "SIGKILL");

  await assert.rejects(hearing, hasType("analyzer_crashed"));
  const { measurements } = await runAnalysisInChild(listenTo("speech-none-noise.ogg"), { ...limits, models });
  assert.deepEqual(measurements.speech?.segments, []);
});

test("a crash while nobody asks costs nobody anything", { skip }, async () => {
  await using models = openModels();
  await models.hearVoice(quiet, null);
  const before = modelsProcesses();

  process.kill(before.at(-1) ?? 0, "SIGKILL");
  await until(() => !before.some(isRunning));

  assert.equal((await models.hearVoice(quiet, null)).likelihoods.length, 1);
});

test("a process that hangs is killed, and only its own caller notices", { skip }, async (t) => {
  await using models = openModels({ processes: 1 });
  await models.hearVoice(quiet, null);
  const hung = modelsProcesses();
  for (const pid of hung) process.kill(pid, "SIGSTOP");
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const hanging = models.hearVoice(quiet, null);
  hanging.catch(() => undefined);
  const next = models.hearVoice(quiet, null);
  await new Promise(setImmediate);

  t.mock.timers.tick(60_000);
  const answer = await next;
  t.mock.timers.tick(120_000);

  assert.equal(answer.likelihoods.length, 1);
  await assert.rejects(hanging, hasType("analyzer_timeout"));
  t.mock.timers.reset();
  await until(() => !hung.some(isRunning));
});

test("what is seen does not wait for what is heard", { skip, timeout: 60_000 }, async (t) => {
  await using models = openModels({ processes: 1 });
  await models.hearVoice(quiet, null);
  const ears = modelsProcesses();
  for (const pid of ears) process.kill(pid, "SIGSTOP");
  // Otherwise another process would stand in after a while.
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let hasHeard = false;
  const hearing = models.hearVoice(quiet, null).finally(() => (hasHeard = true));

  const codes = await models.readCodes({ width: 64, height: 64, pixels: new Uint8Array(64 * 64 * 3) });

  assert.deepEqual(codes, []);
  assert.equal(hasHeard, false);
  for (const pid of ears) process.kill(pid, "SIGCONT");
  assert.equal((await hearing).likelihoods.length, 1);
});

test("there are as many processes as the cores keep busy and the memory holds", () => {
  const gigabyte = 2 ** 30;
  const sizes = [
    { cores: 2, memoryBytes: 8 * gigabyte, weightsBytes: 0 },
    { cores: 8, memoryBytes: 64 * gigabyte, weightsBytes: 0 },
    { cores: 8, memoryBytes: 4 * gigabyte, weightsBytes: 0 },
    { cores: 8, memoryBytes: 16 * gigabyte, weightsBytes: 3 * gigabyte },
    { cores: 8, memoryBytes: gigabyte, weightsBytes: 0 },
  ].map(poolSize);

  assert.deepEqual(sizes, [1, 4, 2, 2, 1]);
});

test("a fresh process takes over after so many files", { skip }, async () => {
  await using models = openModels({ filesPerProcess: 1 });
  await runAnalysisInChild(listenTo("speech-none-noise.ogg"), { ...limits, models });
  const first = modelsProcesses();

  await runAnalysisInChild(listenTo("speech-none-noise.ogg"), { ...limits, models });

  assert.ok(first.length > 0);
  await until(() => !first.some((pid) => modelsProcesses().includes(pid)));
});

test("a fresh process takes over when memory has grown", { skip }, async () => {
  await using models = openModels({ maxResidentBytes: 1 });
  await models.hearVoice(quiet, null);
  const first = modelsProcesses();

  await models.hearVoice(quiet, null);

  assert.ok(first.length > 0);
  await until(() => !first.some((pid) => modelsProcesses().includes(pid)));
});

test("memory is given back after a while without a call, and what comes then is served", { skip }, async () => {
  await using models = openModels({ idleSeconds: 0.05 });
  await models.hearVoice(quiet, null);

  await until(() => modelsProcesses().length === 0);

  assert.equal((await models.hearVoice(quiet, null)).likelihoods.length, 1);
});

test("closing ends the process and whatever it is busy with", { skip }, async () => {
  const models = openModels();
  await models.hearVoice(quiet, null);
  const hearing = models.transcribe(new Int16Array(16_000 * 10));
  hearing.catch(() => undefined);

  await models[Symbol.asyncDispose]();

  await until(() => modelsProcesses().length === 0);
  await assert.rejects(hearing);
  await assert.rejects(models.hearVoice(quiet, null), /closed/);
});

test("an analysis that is stopped leaves the models to the others", { skip }, async () => {
  await using models = openModels();
  const abort = new AbortController();
  const stopped = runAnalysisInChild(listenTo("speech-espeak.ogg"), { ...limits, models, signal: abort.signal });
  stopped.catch(() => undefined);
  await until(() => modelsProcesses().length > 0);

  abort.abort(new Error("stop it"));

  await assert.rejects(stopped, /stop it/);
  assert.equal((await models.hearVoice(quiet, null)).likelihoods.length, 1);
});

test("when the process that owns them dies, the models die with it", { skip }, async () => {
  const code = `
    import { openModels } from ${JSON.stringify(new URL("./open-models.ts", import.meta.url).href)};
    await openModels().hearVoice(new Int16Array(512), null);
    process.send("heard");`;
  const owner = spawn(process.execPath, ["--input-type=module", "-e", code], {
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  await new Promise((resolve) => owner.once("message", resolve));
  const started = modelsProcesses();

  owner.kill("SIGKILL");

  assert.ok(started.length > 0);
  await until(() => !started.some(isRunning));
});

test("the models work in every jail that works here", { skip }, async () => {
  const found = await findJail();
  try {
    for await (const jail of workingJails()) {
      rememberJail(jail);
      await using models = openModels();

      assert.equal((await models.hearVoice(quiet, null)).likelihoods.length, 1, jail.kind);
    }
  } finally {
    rememberJail(found);
  }
});

test("the detector goes on where it stood, so that a sound may come in any pieces", { skip }, async () => {
  await using models = openModels();
  const sound = Int16Array.from({ length: 512 * 8 }, (_, n) => 8000 * Math.sin(n / 9) * Math.sin(n / 700));

  const whole = await models.hearVoice(sound, null);
  const first = await models.hearVoice(sound.subarray(0, 512 * 3), null);
  const rest = await models.hearVoice(sound.subarray(512 * 3), first.state);

  assert.deepEqual([...first.likelihoods, ...rest.likelihoods], whole.likelihoods);
});

test("what is not installed is named to the operator, at start and in the failure of the file", async () => {
  await using models = openModels({ whisperModel: "/models/ggml-base.bin" });

  assert.match(findModels({ whisperModel: "/models/ggml-base.bin" }).description, /cannot .*npm install @fugood/);
  await assert.rejects(models.transcribe(quiet), (error) => {
    assert.ok(error instanceof AnalysisError);
    assert.equal(error.errorType, "internal_error");
    assert.match(error.message, /This worker cannot hear speech.*@fugood\/whisper\.node/);
    return true;
  });
});

test("another Moonshine hears speech, and the start says which one", { skip }, async () => {
  const speechModel = packageFile("@usefulsensors/moonshine-js", "dist", "model", "tiny", "quantized");
  await using models = openModels({ speechModel });

  const medicine = await runAnalysisInChild(listenTo("speech-espeak.ogg"), { ...limits, models });

  assert.ok(findModels({ speechModel }).description.includes(speechModel));
  assert.match(medicine.measurements.speech?.segments.map(({ text }) => text).join(" ") ?? "", /medicine|payment/);
});

test("a folder with another kind of model, as Whisper in ONNX form, is refused with what to do", { skip }, async () => {
  await using scratch = await makeScratch();
  const tiny = packageFile("@usefulsensors/moonshine-js", "dist", "model", "tiny", "quantized");
  for (const name of ["encoder_model.onnx", "decoder_model_merged.onnx"]) {
    chmodSync(scratch.folder, 0o755);
    copyFileSync(join(tiny, "decoder_model_merged.onnx"), join(scratch.folder, name));
  }
  await using models = openModels({ speechModel: scratch.folder });

  await assert.rejects(models.transcribe(quiet), /holds no Moonshine.*GREENLIT_WHISPER_MODEL/);
});

test("a folder without a model is named to the operator, at start and in the failure of the file", async () => {
  await using models = openModels({ speechModel: "/models/none" });

  const { canHearSpeech, description } = findModels({ speechModel: "/models/none" });

  assert.equal(canHearSpeech, false);
  assert.match(description, /cannot hear speech: .*GREENLIT_SPEECH_MODEL names lacks encoder_model\.onnx/);
  await assert.rejects(models.transcribe(quiet), /GREENLIT_SPEECH_MODEL names lacks encoder_model\.onnx/);
});

function listenTo(file: string): AnalysisRequest {
  const check = { kind: "phrase", anyOf: ["read the label"], sources: ["speech"] };
  return { file: golden(file), mediaType: mediaTypeOf(file), sidekicks: [makeSidekick({ check })], context: {} };
}

/** From the outermost jail process to the process itself. */
function modelsProcesses(): number[] {
  return descendantsOf(process.pid)
    .filter((pid) => /models-worker\.(ts|mjs)/.test(commandOf(pid)))
    .toSorted((a, b) => a - b);
}

function hasType(errorType: string): (error: unknown) => boolean {
  return (error) => error instanceof AnalysisError && error.errorType === errorType;
}
