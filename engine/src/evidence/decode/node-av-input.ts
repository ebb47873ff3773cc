import { setTimeout } from "node:timers/promises";
import { AV_LOG_ERROR } from "node-av/constants";
import { Dictionary, FormatContext, InputFormat, Log } from "node-av/lib";
import { explainOpenFailure } from "./open-failure.ts";
import { inputOptions } from "../probe/media-input.ts";
import { forcedDemuxerFor } from "../probe/media-type.ts";

/** Opens a foreign file with node-av. Only for programs that run in the jail: it loads a native library. */
export async function openInput(file: string, contentType: string): Promise<FormatContext> {
  Log.setLevel(AV_LOG_ERROR);
  const complaints: string[] = [];
  Log.setCallback((_, message) => complaints.push(message), { maxLevel: AV_LOG_ERROR });
  const context = new FormatContext();
  const forced = forcedDemuxerFor(contentType);
  const options = Dictionary.fromObject(inputOptions(contentType));
  const format = forced === null ? null : InputFormat.findInputFormat(forced);
  const opened = context.openInputSync(`file:${file}`, format, options);
  const read = opened < 0 ? opened : context.findStreamInfoSync();
  if (read < 0) {
    // What libav complained about reaches us by way of the event loop.
    await setTimeout(20);
    throw explainOpenFailure(complaints.join("\n"));
  }
  Log.resetCallback();
  return context;
}

/** Seconds from a count of ticks; null where libav has no value. */
export function secondsOf(ticks: bigint, timeBase: { num: number; den: number }): number | null {
  if (ticks === noValue || timeBase.den === 0) return null;
  return (Number(ticks) * timeBase.num) / timeBase.den;
}

/** libav's "no timestamp". */
export const noValue = -(2n ** 63n);

export const microseconds = { num: 1, den: 1_000_000 };
