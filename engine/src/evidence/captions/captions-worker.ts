import { AVDISCARD_ALL, AVMEDIA_TYPE_SUBTITLE } from "node-av/constants";
import { avGetCodecName, type FormatContext, Packet } from "node-av/lib";
import { serveWorker } from "../../jail/serve-worker.ts";
import type { CaptionsAnswer, CaptionsRequest } from "./captions.ts";
import { microseconds, openInput, secondsOf } from "../decode/node-av-input.ts";

const maxTrackCharacters = 4 * 2 ** 20;

/** Reads the packets of subtitle streams as they are, because that is all that the text of a caption needs. */
await serveWorker<CaptionsRequest, CaptionsAnswer>(async ({ contentType, streams }, { file }) =>
  readTracks(await openInput(file, contentType), streams),
);

function readTracks(input: FormatContext, wanted: number[]): string[] {
  const subtitles = input.streams.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_SUBTITLE);
  const startSeconds = secondsOf(input.startTime, microseconds) ?? 0;
  const tracks = wanted.map((index) => {
    const stream = subtitles[index];
    if (stream === undefined) throw new Error("The file has other streams than when it was probed.");
    return { stream, codec: avGetCodecName(stream.codecpar.codecId) ?? "", text: "WEBVTT\n\n" };
  });
  for (const stream of input.streams) {
    if (!tracks.some((track) => track.stream.index === stream.index)) stream.discard = AVDISCARD_ALL;
  }
  const packet = new Packet();
  packet.alloc();
  while (input.readFrameSync(packet) >= 0) {
    const track = tracks.find(({ stream }) => stream.index === packet.streamIndex);
    if (track !== undefined && track.text.length < maxTrackCharacters) {
      const start = secondsOf(packet.pts, track.stream.timeBase);
      const length = secondsOf(packet.duration, track.stream.timeBase) ?? 0;
      const lines = textOf(track.codec, packet.data ?? Buffer.alloc(0));
      if (start !== null && lines.length > 0) {
        const begin = Math.max(0, start - startSeconds);
        track.text += `${clock(begin)} --> ${clock(begin + length)}\n${lines.join("\n")}\n\n`;
      }
    }
    packet.unref();
  }
  return tracks.map(({ text }) => text);
}

/** The lines of one cue. A blank one or an arrow in them would begin another. */
function textOf(codec: string, data: Buffer): string[] {
  return plainText(codec, data)
    .replaceAll("\0", "")
    .replaceAll("-->", "→")
    .split(/\r?\n/)
    .filter((line) => line.trim() !== "");
}

function plainText(codec: string, data: Buffer): string {
  // Two bytes of length; styles follow the text.
  if (codec === "mov_text") return data.length < 2 ? "" : data.toString("utf8", 2, 2 + data.readUInt16BE(0));
  if (codec !== "ass" && codec !== "ssa") return data.toString("utf8");
  // Eight fields about the look, then the text, which may have commas of its own.
  const text = data.toString("utf8").split(",").slice(8).join(",");
  return text
    .replaceAll(/\{[^}]*\}/g, "")
    .replaceAll(/\\n/gi, "\n")
    .replaceAll(String.raw`\h`, " ");
}

function clock(seconds: number): string {
  const milliseconds = Math.round(seconds * 1000);
  const pad = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, "0");
  const [hours, minutes] = [milliseconds / 3_600_000, (milliseconds / 60_000) % 60];
  return `${pad(hours, 2)}:${pad(minutes, 2)}:${pad((milliseconds / 1000) % 60, 2)}.${pad(milliseconds % 1000, 3)}`;
}
