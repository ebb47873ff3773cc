import type { Evidence, Omission } from "./evidence.ts";

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

function placeOf({ startSeconds, endSeconds, page }: Omission): string | null {
  if (page !== undefined) return `page ${page}`;
  if (startSeconds === undefined) return null;
  const end = endSeconds === undefined || endSeconds - startSeconds < 0.05 ? "" : ` to ${tenths(endSeconds)} s`;
  return `${tenths(startSeconds)}${end === "" ? " s" : end}`;
}

function tenths(seconds: number): number {
  return Number(seconds.toFixed(1));
}
