import { isMachineMade } from "../../machine-made.ts";
import type { ContentCredentials, MetadataEvidence } from "../evidence.ts";
import { unjudgedWords } from "./words-in-tags.ts";

const maxEntries = 300;
const maxValueCharacters = 4_000;
const maxOmissions = 8;

export type MetadataCollector = {
  /** What is empty or said already is left out; what is long is cut. */
  add: (name: string, value: unknown, source: string) => void;
  /** The first place that is one counts. */
  addGps: (place: { latitude: number; longitude: number } | null, source: string) => void;
  /** Takes the whole URI or its last segment. A mark of machine-made content wins over any other. */
  addSourceType: (value: string, source: string) => void;
  addCredentials: (credentials: ContentCredentials | null) => void;
  /** What was found and not checked, as a sentence. */
  omit: (what: string) => void;
  finish: () => MetadataEvidence;
};

/** `namesWords`: words in tags that people see are named as not judged. */
export function collectMetadata({ namesWords = false } = {}): MetadataCollector {
  const entries: MetadataEvidence["entries"] = [];
  const seen = new Set<string>();
  let gps: MetadataEvidence["gps"] = null;
  let digitalSourceType: MetadataEvidence["digitalSourceType"] = null;
  let contentCredentials: MetadataEvidence["contentCredentials"] = null;
  const omissions = new Set<string>();
  return {
    add(name, value, source) {
      const text = tidy(value);
      const key = `${name}\n${text}\n${source}`;
      if (text === "" || seen.has(key) || entries.length >= maxEntries) return;
      seen.add(key);
      entries.push({ name, value: text, source });
      const unjudged = namesWords && omissions.size < maxOmissions ? unjudgedWords(name, text) : null;
      if (unjudged !== null) omissions.add(unjudged);
    },
    addGps(place, source) {
      if (place === null || gps !== null) return;
      const { latitude, longitude } = place;
      // NaN fails both tests.
      if (!(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) return;
      gps = { latitude: round(latitude), longitude: round(longitude), source };
    },
    addSourceType(value, source) {
      const last = tidy(value).split(/[/:#]/).at(-1) ?? "";
      if (!/^[a-z]{3,60}$/i.test(last)) return;
      if (digitalSourceType === null || (isMachineMade(last) && !isMachineMade(digitalSourceType.value))) {
        digitalSourceType = { value: last, source };
      }
    },
    addCredentials: (credentials) => void (contentCredentials = credentials),
    omit: (what) => void omissions.add(what),
    finish: () => ({
      gps,
      entries,
      digitalSourceType,
      contentCredentials,
      ...(omissions.size > 0 && { omissions: [...omissions].map((what) => ({ what })) }),
    }),
  };
}

/** `+48.8577+002.295+035/`, as phones write it into video. */
export function parseIso6709(text: string): { latitude: number; longitude: number } | null {
  const match = /^\s*([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)(?:[+-]|\/|CRS|\s|$)/.exec(text);
  return match === null ? null : { latitude: Number(match[1]), longitude: Number(match[2]) };
}

function tidy(value: unknown): string {
  const text = typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
  return (
    text
      .slice(0, maxValueCharacters)
      .toWellFormed()
      // oxlint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]+/g, " ")
      .trim()
  );
}

/** Seven places are a centimetre. */
function round(degrees: number): number {
  return Number(degrees.toFixed(7));
}
