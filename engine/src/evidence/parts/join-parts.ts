import { emptyEvidence } from "../empty-evidence.ts";
import type { Evidence, Span } from "../evidence.ts";
import { partFreezes } from "../part-freezes.ts";
import type { Probe } from "../probe/probe-shape.ts";
import { describeSpeech } from "../speech/speech.ts";
import { describeSupers } from "../supers/supers.ts";
import { type FilmPart, ownSpan, type PartEvidence } from "./film-part.ts";
import { joinFlashes, joinPatterns } from "./join-light.ts";
import { joinLoudness } from "./join-loudness.ts";
import { joinSpeech, joinTones } from "./join-sound.ts";
import { joinSpans } from "./join-spans.ts";
import { joinLines } from "./join-supers.ts";

/** The evidence of a film from that of its parts, in their order: what one decode of the whole would have given. */
export function joinParts(probe: Probe, parts: readonly PartEvidence[]): Evidence {
  const spans = (key: "black" | "freezes" | "silences"): Span[] | null => {
    const known = having(parts, key);
    return known.length === 0 ? null : joinSpans(known.map(({ part, found }) => ({ part, spans: found })));
  };
  const loudness = having(parts, "loudness").filter(({ found }) => found.momentaryLufs.length > 0);
  const flashes = having(parts, "flashes");
  const patterns = having(parts, "patterns");
  const tones = having(parts, "tones");
  const nudity = having(parts, "nudity");
  const lines = having(parts, "supers");
  const heard = having(parts, "speech");
  const soundSeconds = Math.max(0, ...parts.map(({ soundEndSeconds }) => soundEndSeconds ?? 0));
  const supers =
    lines.length === 0 ? null : describeSupers(joinLines(lines.map(({ part, found }) => ({ part, film: found }))));
  const freezes = spans("freezes");
  return {
    ...emptyEvidence(probe),
    ...parts[0]?.others,
    black: spans("black"),
    freezes: freezes && partFreezes(freezes, { supers, durationSeconds: probe.durationSeconds ?? Infinity }),
    silences: spans("silences"),
    loudness:
      having(parts, "loudness").length === 0
        ? null
        : joinLoudness(loudness.map(({ part, found }) => ({ part, steps: found }))),
    flashes: flashes.length === 0 ? null : joinFlashes(flashes.map(({ part, found }) => ({ part, flashes: found }))),
    patterns:
      patterns.length === 0 ? null : joinPatterns(patterns.map(({ part, found }) => ({ part, patterns: found }))),
    tones: tones.length === 0 ? null : joinTones(tones.map(({ part, found }) => ({ part, tones: found }))),
    nudity:
      nudity.length === 0
        ? null
        : {
            looks: nudity.flatMap(({ part, found }) => found.looks.filter(({ seconds }) => isOwn(part, seconds ?? 0))),
          },
    supers,
    speech:
      heard.length === 0
        ? null
        : describeSpeech(joinSpeech(heard.map(({ part, found }) => ({ part, heard: found }))), soundSeconds),
  };
}

/** The parts in which there is something of this kind. */
function having<Key extends keyof PartEvidence>(parts: readonly PartEvidence[], key: Key) {
  return parts.flatMap((each) => {
    const found = each[key];
    return found === null ? [] : [{ part: each.part, found }];
  });
}

function isOwn(part: FilmPart, seconds: number): boolean {
  const { startSeconds, endSeconds } = ownSpan(part);
  return seconds >= startSeconds && seconds < endSeconds;
}
