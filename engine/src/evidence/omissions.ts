import type { Evidence, Omission, Region } from "./evidence.ts";

/** Everything that was not checked, as sentences for people. The same sentence at several places is said once. */
export function describeOmissions(evidence: Evidence): string[] {
  const groups = Map.groupBy(omissionsOf(evidence), ({ what }) => what);
  return [...groups].map(([what, group]) => {
    const places = [...new Set(group.flatMap((omission) => placeOf(omission) ?? []))];
    if (places.length === 0) return what;
    const shown = places.slice(0, maxPlaces);
    const more = places.length > maxPlaces ? ` and ${places.length - maxPlaces} more` : "";
    return `${what.replace(/\.$/, "")} (${shown.join(", ")}${more}).`;
  });
}

const maxPlaces = 10;

const keysInOrder = ["probe", "document", "speech", "supers", "image", "metadata", "captions"] as const;

/** A kind of evidence whose omissions nobody collects does not compile: they would be lost in silence. */
type WithOmissions = {
  [Key in keyof Evidence]-?: "omissions" extends keyof NonNullable<Evidence[Key]> ? Key : never;
}[keyof Evidence];
type Lost = Exclude<WithOmissions, (typeof keysInOrder)[number]>;
true satisfies [Lost] extends [never] ? true : Lost;

function omissionsOf(evidence: Evidence): Omission[] {
  const { document, speech, metadata, flashes, patterns } = evidence;
  // A film has its chapters as a track and as a list: their words are named once.
  const hasTitles = (metadata?.omissions ?? []).some(({ what }) => what.includes(": chapter “"));
  const unjudged = [flashes?.notJudged, patterns?.notJudged, speech?.notJudged, ...(document?.limits ?? [])];
  return [
    ...unjudged.flatMap((what) => (typeof what === "string" ? [{ what }] : [])),
    ...keysInOrder
      .flatMap((key) => evidence[key]?.omissions ?? [])
      .filter(({ what }) => !(what.startsWith("The titles of chapters") && hasTitles)),
  ];
}

function placeOf({ startSeconds, endSeconds, page, region }: Omission): string | null {
  const where = region === undefined ? null : `at the ${partOf(region)}`;
  const when = page === undefined ? timeOf(startSeconds, endSeconds) : `page ${page}`;
  return where === null || when === null ? (when ?? where) : `${when} ${where}`;
}

function timeOf(startSeconds: number | undefined, endSeconds: number | undefined): string | null {
  if (startSeconds === undefined) return null;
  const end = endSeconds === undefined || endSeconds - startSeconds < 0.05 ? "" : ` to ${tenths(endSeconds)} s`;
  return `${tenths(startSeconds)}${end === "" ? " s" : end}`;
}

/** In words that send the eye there. */
function partOf({ x, y, width, height }: Region): string {
  const third = (middle: number, names: readonly [string, string, string]) =>
    middle < 1 / 3 ? names[0] : middle > 2 / 3 ? names[2] : names[1];
  const down = third(y + height / 2, ["top", "", "bottom"]);
  const across = third(x + width / 2, ["left", "", "right"]);
  return [down, across].filter((name) => name !== "").join(" ") || "centre";
}

function tenths(seconds: number): number {
  return Number(seconds.toFixed(1));
}
