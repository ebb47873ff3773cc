import { isTextCaption } from "./caption-codecs.ts";
import type { Probe } from "./probe-shape.ts";
import type { RawStream } from "./raw-probe.ts";

/** What a player offers beside the one picture and the one sound that are analysed. */
export function unreadStreams(
  streams: readonly RawStream[],
  chosen: {
    audios: readonly RawStream[];
    videos: readonly RawStream[];
    audio: RawStream | undefined;
    video: RawStream | undefined;
  },
): string[] {
  const others = (all: readonly RawStream[], one: RawStream | undefined) => all.filter((stream) => stream !== one);
  const isUnknown = ({ type, codec }: RawStream) => (type === "video" || type === "audio") && codec === null;
  return [
    ...others(chosen.audios, chosen.audio).map(
      (stream) => `Another sound track (${nameOf(stream)}) was not checked: only one is.`,
    ),
    ...others(chosen.videos, chosen.video).map(
      (stream) => `Another picture track (${nameOf(stream)}) was not checked: only one is.`,
    ),
    ...streams.filter(isUnknown).map((stream) => `A track of an unknown format (${nameOf(stream)}) was not checked.`),
    ...streams
      .filter(({ isAttachedPicture }) => isAttachedPicture)
      .slice(0, 1)
      .map(() => "The cover picture attached to the file was not checked."),
    ...streams
      .filter(({ type, codecTag }) => type === "other" && codecTag === "text")
      .map((stream) => `The titles of chapters (stream ${stream.index}) were not checked.`),
    ...streams
      .filter(({ type, codec }) => type === "subtitle" && !isTextCaption(codec ?? ""))
      .map((stream) => `Subtitles that are not stored as text (${nameOf(stream)}) were not checked.`),
  ];
}

export function withOmissions(sentences: readonly string[]): Pick<Probe, "omissions"> {
  return sentences.length === 0 ? {} : { omissions: sentences.map((what) => ({ what })) };
}

function nameOf({ index, codec, language }: RawStream): string {
  return [`stream ${index}`, ...(language === null ? [] : [language]), ...(codec === null ? [] : [codec])].join(", ");
}
