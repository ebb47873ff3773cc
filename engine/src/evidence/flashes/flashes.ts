import type { Consumer, FlashEvidence, Frame, FrameFormat } from "../evidence.ts";
import { createFlashMeter } from "./flash-meter.ts";
import { createFrameClock } from "./flash-rates.ts";
import { createLightCells } from "./light-cells.ts";
import { sdrWhiteNits } from "../pixels/light.ts";

const stepSeconds = 0.1;

/**
 * Finds flashes cell by cell, never by the mean of the frame, in which two halves in antiphase cancel out.
 *
 * PQ and HLG are judged by the light of their nominal displays (HLG: 1000 cd/m²); eight bits of PQ are steps of about
 * 3 %, so a change within 5 cd/m² of the threshold may fall on either side. Not found: flashes with less than a cell
 * (about 1/80 of the width) of coherent area, such as fine checkerboards, which the texts exempt.
 */
export function createFlashConsumer(format: FrameFormat): Consumer<Frame, FlashEvidence> {
  const cells = createLightCells(format);
  const clock = createFrameClock();
  const general = createFlashMeter({ kind: "general", cells, format, clock });
  const red = createFlashMeter({ kind: "red", cells, format, clock });
  const curve = createCurve();

  function accept(frame: Frame): void {
    const luminance = cells.read(frame);
    clock.tick(frame.seconds);
    general.step();
    red.step();
    curve.add(frame.seconds, { luminance, general: general.rate.broadcast, red: red.rate.broadcast });
  }

  function finish(): FlashEvidence {
    general.finish();
    red.finish();
    return {
      notJudged: null,
      maxGeneralPerSecond: general.maxRate.broadcast,
      maxRedPerSecond: red.maxRate.broadcast,
      wcag: { maxGeneralPerSecond: general.maxRate.wcag, maxRedPerSecond: red.maxRate.wcag },
      sequences: [...general.sequences(), ...red.sequences()].toSorted((a, b) => a.startSeconds - b.startSeconds),
      curve: curve.finish(),
    };
  }

  return { accept, finish };
}

type CurvePoint = { luminance: number; general: number; red: number };

/** The mean luminance and the highest rates of each step; a step without a frame shows the frame before it. */
function createCurve() {
  const points: CurvePoint[] = [];
  let frames = 0;

  function add(seconds: number, point: CurvePoint): void {
    const index = Math.max(0, Math.floor(seconds / stepSeconds + 1e-6));
    if (index >= points.length) {
      const held = points.at(-1) ?? point;
      while (points.length < index) points.push(held);
      points.push(point);
      frames = 1;
      return;
    }
    const last = points.at(-1);
    if (last === undefined) return;
    points[points.length - 1] = {
      luminance: (last.luminance * frames + point.luminance) / (frames + 1),
      general: Math.max(last.general, point.general),
      red: Math.max(last.red, point.red),
    };
    frames += 1;
  }

  function finish(): FlashEvidence["curve"] {
    return {
      stepSeconds,
      luminance: points.map((point) => Math.round(point.luminance * sdrWhiteNits * 10) / 10),
      generalPerSecond: points.map((point) => point.general),
      redPerSecond: points.map((point) => point.red),
    };
  }

  return { add, finish };
}
