import { AnalysisError } from "../../analysis-error.ts";
import { buildDocument, format } from "../documents/document-builder.ts";
import type { Cue, DocumentEvidence } from "../evidence.ts";
import { decodeText } from "../documents/read-text.ts";

const time = String.raw`(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})(?:[.,](\d{1,3}))?`;
const timingLine = new RegExp(String.raw`^\s*${time}\s*-->\s*${time}(?:\s|$)`);
const notCues = /^(?:WEBVTT|NOTE|STYLE|REGION)(?:\s|$)/;

/**
 * SRT and VTT. Cues keep the order of the file and may overlap. What looks like a cue but has no usable time is left
 * out and counted: one bad line must not hide the others.
 */
export function readCaptions(bytes: Uint8Array): DocumentEvidence {
  const document = buildDocument();
  let malformed = 0;
  let count = 0;
  for (const block of splitBlocks(decodeText(bytes).replace(/^\ufeff/, ""))) {
    if (notCues.test(block[0] ?? "")) {
      const note = unseenNote(block);
      if (note !== null) document.omit({ what: note });
      continue;
    }
    const cue = readCue(block);
    if (cue === null) {
      malformed += 1;
      continue;
    }
    count += 1;
    document.addCue(cue);
    document.addBlock(1, { text: cue.text, kind: "body", region: null });
    if (document.isFull()) break;
  }
  if (count === 0 && malformed > 0) {
    throw new AnalysisError("corrupt_media", "The captions have no cue with a valid time. Export them again.");
  }
  document.addPage(1);
  if (malformed > 0)
    document.limit(`${format(malformed)} malformed ${malformed === 1 ? "cue was" : "cues were"} left out.`);
  return document.finish({ cues: true });
}

/** Players leave comments out; whoever opens the file reads them. A word or two are an editor's mark. */
function unseenNote([first = "", ...rest]: string[]): string | null {
  if (!/^NOTE(?:\s|$)/.test(first)) return null;
  const text = [first.slice("NOTE".length), ...rest].join(" ").replaceAll(/\s+/g, " ").trim();
  if ((text.match(/\p{L}{2,}/gu)?.length ?? 0) < 4) return null;
  return `A comment in the captions, which players do not show, was not judged: “${text.slice(0, 100)}”.`;
}

/** Lines between blank lines; a timing line also starts a new cue, because some files forget the blank line. */
function splitBlocks(text: string): string[][] {
  const blocks: string[][] = [];
  let current: string[] = [];
  const flush = () => {
    if (current.length > 0) blocks.push(current);
    current = [];
  };
  for (const line of text.split("\n")) {
    if (line.trim() === "") {
      flush();
      continue;
    }
    if (line.includes("-->") && current.some((earlier) => earlier.includes("-->"))) {
      const last = current.at(-1) ?? "";
      const isNumber = /^\s*\d+\s*$/.test(last);
      if (isNumber) current.pop();
      flush();
      if (isNumber) current.push(last);
    }
    current.push(line);
  }
  flush();
  return blocks;
}

function readCue(block: string[]): Cue | null {
  const at = block.findIndex((line) => line.includes("-->"));
  const match = timingLine.exec(block[at] ?? "");
  if (match === null) return null;
  const startSeconds = seconds(match.slice(1, 5));
  const endSeconds = seconds(match.slice(5, 9));
  if (startSeconds === null || endSeconds === null || endSeconds < startSeconds) return null;
  const lines = block
    .slice(at + 1)
    .map(stripStyling)
    .filter((line) => line !== "");
  return { startSeconds, endSeconds, text: lines.join("\n"), lines };
}

function seconds([hours, minutes, whole, fraction]: (string | undefined)[]): number | null {
  if (Number(minutes) > 59 || Number(whole) > 59) return null;
  const milliseconds = Number((fraction ?? "").padEnd(3, "0"));
  return (Number(hours ?? 0) * 3_600_000 + Number(minutes) * 60_000 + Number(whole) * 1000 + milliseconds) / 1000;
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: "\u00a0",
  lrm: "",
  rlm: "",
};

/** `<i>`, `<v Anna>`, `<00:01.000>`, `{\an8}` and the like are for the player. `2 < 3` stays. */
function stripStyling(line: string): string {
  return line
    .replaceAll(/\{\\[^}]{0,200}\}/g, "")
    .replaceAll(/<\/?(?:(?:[bcisuv]|font|ruby|rt|lang)(?![a-z\d])[^<>]{0,200}|\d[\d:.]*)>|<\/>/gi, "")
    .replaceAll(/&(amp|lt|gt|nbsp|lrm|rlm);/g, (_, name: string) => entities[name] ?? "")
    .trim();
}
