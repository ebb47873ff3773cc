import type { FlashKind, FlashSequence, FrameFormat } from "../evidence.ts";
import { createAreaMeter, tenDegrees, wholeFrame, type Zone } from "./flash-area.ts";
import { createFlashRates, type FrameClock } from "./flash-rates.ts";
import { createSequences, type FlashPlace } from "./flash-sequences.ts";
import { createSwings, luminanceChange, measureCover, stepLuminance } from "./flash-swings.ts";
import type { LightCells } from "./light-cells.ts";
import { createRedSwings, rednessChange, stepRed } from "./red-swings.ts";

export type FlashMeter = {
  step: () => void;
  finish: () => void;
  /** Flashes a second, now. */
  rate: { broadcast: number; wcag: number };
  maxRate: { broadcast: number; wcag: number };
  sequences: () => FlashSequence[];
};

/** More than three a second is what the texts forbid; the area is that of all that flashes so, not of the fastest. */
const forbiddenRate = 4;

/** Counts the flashes of one kind. `cells` must have read the frame of `clock` when `step` is called. */
export function createFlashMeter(options: {
  kind: FlashKind;
  cells: LightCells;
  format: FrameFormat;
  clock: FrameClock;
}): FlashMeter {
  const { kind, cells, format, clock } = options;
  const { swings, stepSwings, raw, threshold } = kind === "general" ? generalSwings(cells) : redSwings(cells);
  const rates = createFlashRates(cells.count, clock);
  const cover = new Float32Array(cells.count);
  const area = createAreaMeter(cells, { rate: rates.rate, cover });
  const picture = createPictureSwings(clock);
  const frame = wholeFrame(cells);
  const window = tenDegrees(cells, format);
  const common = { kind, cells, cover, rates, pictureRates: picture.rates };
  const broadcast = createSequences({ ...common, standard: "broadcast" });
  const wcag = createSequences({ ...common, standard: "wcag" });
  const rate = { broadcast: 0, wcag: 0 };
  const maxRate = { broadcast: 0, wcag: 0 };

  function step(): void {
    stepSwings();
    const hasExpired = rates.expire();
    const hasPictureExpired = picture.rates.expire();
    recordChanges();
    if (swings.changedCount > 0 || hasExpired || hasPictureExpired) measure();
    const { seconds } = clock;
    broadcast.step(seconds, { rate: rate.broadcast, areaShare: areaShareAt(rate.broadcast), look: lookAtFrame });
    wcag.step(seconds, { rate: rate.wcag, areaShare: areaShareAt(rate.wcag), look: lookAtWindow });
  }

  function measure(): void {
    area.measure();
    rate.broadcast = Math.max(area.rateOver(frame.minShare), picture.rates.rate[0] ?? 0);
    rate.wcag = area.rateInWindow(window, rate.broadcast);
    maxRate.broadcast = Math.max(maxRate.broadcast, rate.broadcast);
    maxRate.wcag = Math.max(maxRate.wcag, rate.wcag);
  }

  function recordChanges(): void {
    const { changed, changedCount, direction } = swings;
    for (let index = 0; index < changedCount; index += 1) rates.record(changed[index] as number);
    const { lastChangeSeconds } = rates;
    measureCover({ swings, cells, raw, threshold, lastChangeSeconds, seconds: clock.seconds, cover });
    let net = 0;
    for (let index = 0; index < changedCount; index += 1) {
      const cell = changed[index] as number;
      net += (direction[cell] as number) * (cover[cell] as number) * (cells.share[cell] as number);
    }
    picture.step(net);
  }

  function areaShareAt(screenRate: number): number {
    const share = area.shareAt(Math.min(screenRate, forbiddenRate));
    return Math.min(1, share > window.minShare ? share : picture.swing());
  }

  function look(screenRate: number, zone: Zone | null): FlashPlace {
    const minRate = Math.min(screenRate, forbiddenRate);
    const fullest = area.fullestWindow(window, minRate);
    return {
      windowShare: Math.min(1, fullest.share / (4 * window.minShare)),
      zone: zone ?? fullest.zone,
      region: area.regionOf(minRate),
    };
  }

  const lookAtFrame = () => look(rate.broadcast, frame);
  const lookAtWindow = () => look(rate.wcag, null);

  function finish(): void {
    broadcast.close();
    wcag.close();
  }

  return { step, finish, rate, maxRate, sequences: () => [...broadcast.sequences, ...wcag.sequences] };
}

function generalSwings(cells: LightCells) {
  const swings = createSwings(cells.count);
  const stepSwings = () => stepLuminance(swings, cells);
  return { swings, stepSwings, raw: cells.rawLuminance, threshold: luminanceChange };
}

function redSwings(cells: LightCells) {
  const swings = createRedSwings(cells.count);
  const stepSwings = () => stepRed(swings, cells);
  return { swings, stepSwings, raw: cells.rawRedness, threshold: rednessChange };
}

/**
 * The picture as one: how much of it got brighter less how much got darker, added up until it turns back by more than a
 * quarter of the picture. It finds strobes that light another part each time. Two halves in antiphase cancel out here,
 * as does the motion of a panning camera; the halves are found cell by cell.
 */
function createPictureSwings(clock: FrameClock) {
  const rates = createFlashRates(1, clock);
  let [sum, high, low, direction] = [0, 0, 0, 0];

  function step(net: number): void {
    if (net === 0) return;
    sum += net;
    const isFall = direction >= 0 && high - sum > 0.25;
    const isRise = direction <= 0 && sum - low > 0.25;
    if (isFall || isRise) {
      direction = isRise ? 1 : -1;
      rates.record(0);
      if (isRise) high = sum;
      else low = sum;
    }
    if (direction >= 0) high = Math.max(high, sum);
    if (direction <= 0) low = Math.min(low, sum);
  }

  return { rates, step, swing: () => high - low };
}
