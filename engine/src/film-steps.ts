import { readFile } from "node:fs/promises";
import type { Evidence, EvidenceKey } from "./evidence/evidence.ts";
import type { GatherOptions } from "./evidence/gather.ts";
import type { FilmPart, FilmPlan } from "./evidence/parts/film-part.ts";
import { findStarts, gatherPart } from "./evidence/parts/gather-part.ts";
import { joinParts } from "./evidence/parts/join-parts.ts";
import { whyPartsDiffer } from "./evidence/parts/parts-differ.ts";
import { isCut, type PartLength, planParts } from "./evidence/parts/plan-parts.ts";
import type { Probe } from "./evidence/probe/probe-shape.ts";
import { KeptEvidenceError } from "./kept/kept-evidence.ts";
import { type KeptPart, packPart, unpackPart } from "./kept/kept-part.ts";
import { createFilmPrint, type FilmContent, joinFilmPrints } from "./print/film-print.ts";

/** A long film is analysed in steps, so that none of them is lost with its worker and several workers can share them. */
export type FilmStep =
  /** Where it is long enough: how it is cut, instead of findings. A shorter one is analysed as always. */
  | { kind: "cut"; length: PartLength }
  /** What is gathered of one part, instead of findings. */
  | { kind: "part"; part: FilmPart; needs: readonly EvidenceKey[] }
  /** The findings, from all parts in their order: paths of files with what is gathered of each. */
  | { kind: "join"; files: readonly string[] };

/** What comes of a step instead of findings. `differs`: why the parts do not fit; analyse the film in one piece. */
export type FilmStepResult = { plan: FilmPlan } | { part: string } | { differs: string };

type FilmOptions = Omit<GatherOptions, "film" | "onPart">;

/** Null: it is analysed in one piece. */
export async function planFilm(
  options: FilmOptions & { length: PartLength; today: string },
): Promise<{ plan: FilmPlan } | null> {
  const { probe, length, needs, today } = options;
  if (!isCut(probe, length)) return null;
  const parts = planParts(probe, length, await findStarts(options));
  return parts.length < 2 ? null : { plan: { parts, needs: [...needs], today } };
}

/** In base64, as a join takes it from a file. */
export async function gatherPacked(
  options: FilmOptions & { part: FilmPart; wantsPrint: boolean },
): Promise<{ part: string }> {
  const { probe, part, wantsPrint } = options;
  const film = wantsPrint ? createFilmPrint(probe, { wantsShots: true, part }) : undefined;
  const evidence = await gatherPart({ ...options, film });
  return { part: packPart({ evidence, print: film?.made() ?? null }, probe).toString("base64") };
}

export async function joinFilm(options: {
  files: readonly string[];
  probe: Probe;
  needs: ReadonlySet<EvidenceKey>;
}): Promise<{ evidence: Evidence; film: { made: () => FilmContent } } | { differs: string }> {
  const kept = await readParts(options.files);
  if (kept === null) return { differs: "A kept part of the film cannot be read." };
  const parts = kept.map(({ evidence }) => evidence);
  const differs = whyPartsDiffer(parts);
  if (differs !== null) return { differs };
  const whole = joinParts(options.probe, parts);
  const made = joinFilmPrints(
    kept.flatMap(({ print }) => print ?? []),
    whole.loudness,
  );
  return {
    evidence: options.needs.has("loudness") ? whole : { ...whole, loudness: null },
    film: { made: () => made },
  };
}

async function readParts(files: readonly string[]): Promise<KeptPart[] | null> {
  const kept: KeptPart[] = [];
  try {
    for (const file of files) kept.push(unpackPart(await readFile(file)));
  } catch (error) {
    if (!(error instanceof KeptEvidenceError)) throw error;
    return null;
  }
  return kept;
}
