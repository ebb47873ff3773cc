import { Type } from "typebox";
import type { Evidence, MetadataEvidence, TextBlock } from "../../evidence/evidence.ts";
import { defineCheckKind, everyKind, type Hit } from "../check-kind.ts";
import { list } from "../format-numbers.ts";
import { shorten } from "../wording/phrase.ts";

const kinds = {
  gps: findGps,
  people: (evidence: Evidence) => findEntries(evidence, peopleNames, "names a person"),
  device: (evidence: Evidence) => findEntries(evidence, deviceNames, "identifies the device"),
  paths: findPaths,
  comments: (evidence: Evidence) => findBlocks(evidence, ["comment"], ["comment", "comments"]),
  "tracked-changes": (evidence: Evidence) =>
    findBlocks(evidence, ["deleted", "inserted"], ["tracked change", "tracked changes"]),
  "hidden-text": (evidence: Evidence) =>
    findBlocks(evidence, ["hidden"], ["piece of hidden text", "pieces of hidden text"]),
} satisfies Record<string, (evidence: Evidence) => Hit[]>;

type Kind = keyof typeof kinds;

/** What a file reveals about people besides what it shows. One finding a kind: they are all removed by the same step. */
export const metadata = defineCheckKind({
  kind: "metadata",
  about: "What a file carries unseen: a place, names, devices, paths, comments, tracked changes, hidden text.",
  parameters: Type.Object({ what: Type.Enum(Object.keys(kinds) as Kind[]) }),
  appliesTo: everyKind,
  needs: ({ what }) => (["comments", "tracked-changes", "hidden-text"].includes(what) ? ["document"] : ["metadata"]),
  run: ({ evidence, parameters }) => kinds[parameters.what](evidence),
});

const peopleNames =
  /^(?:author|artist|creator|by-?line|owner(?: name)?|camera owner|last modified by|manager|contact|copyright holder|photographer)$/iu;
const deviceNames = /serial|^(?:unique )?(?:camera|lens|device) (?:id|number)|imei|hardware id/iu;

function findGps({ metadata: found }: Evidence): Hit[] {
  const gps = found?.gps ?? null;
  if (gps === null) return [];
  const { latitude, longitude, source } = gps;
  // About a kilometre: enough to see that it is a real place, not enough to publish it again.
  const near = `${latitude.toFixed(2)}, ${longitude.toFixed(2)}`;
  return [
    {
      summary: `The file says where it was recorded (near ${near}).`,
      headline: "Location in the metadata",
      reasoning: `${source} holds a latitude and a longitude with ${decimals(latitude, longitude)} decimal places, which is a place of about ${precision(latitude, longitude)}.`,
      identity: "gps",
      recommendation: `Remove the location before publishing, for example with: exiftool -gps:all= -location:all= FILE`,
    },
  ];
}

function findEntries({ metadata: found }: Evidence, names: RegExp, what: string): Hit[] {
  const entries = (found?.entries ?? []).filter(({ name, value }) => names.test(name) && !isProgram(value));
  const first = entries[0];
  if (first === undefined) return [];
  const told = describeEntries(entries);
  return [
    {
      summary: `The metadata ${what}: ${shorten(told, 140)}.`,
      headline: `${first.name}: ${shorten(first.value, 60)}`,
      reasoning: `Found ${entries.length === 1 ? "one entry" : `${entries.length} entries`} in the file's metadata: ${shorten(told, 400)}.`,
      identity: what,
    },
  ];
}

function findPaths({ metadata: found }: Evidence): Hit[] {
  const first = (found?.entries ?? []).find(({ value }) => userPath.test(value));
  if (first === undefined) return [];
  return [
    {
      summary: `The metadata holds a path of somebody's computer: ${shorten(first.value, 100)}.`,
      headline: "A private path in the metadata",
      reasoning: `${first.source} holds “${shorten(first.value, 200)}”, which reveals a user name and how that computer is organised.`,
      identity: "path",
    },
  ];
}

function findBlocks(
  { document }: Evidence,
  wanted: TextBlock["kind"][],
  [one, many]: readonly [one: string, many: string],
): Hit[] {
  const blocks = (document?.pages ?? []).flatMap(({ page, blocks: all }) =>
    all.filter(({ kind, text }) => wanted.includes(kind) && text.trim() !== "").map((block) => ({ ...block, page })),
  );
  const first = blocks[0];
  if (first === undefined) return [];
  const pages = [...new Set(blocks.map(({ page }) => page))];
  const shown = pages.slice(0, 8).map(String);
  const where = pages.length === 1 ? `page ${pages[0]}` : `pages ${pages.length > 8 ? shown.join(", ") : list(shown)}`;
  const reasons = [...new Set(blocks.flatMap(({ why }) => why ?? []))].slice(0, 3);
  const because = reasons.length === 0 ? "" : ` It is ${list(reasons)}.`;
  return [
    {
      summary: `${blocks.length === 1 ? `A ${one} is` : `${blocks.length} ${many} are`} still in the document: “${shorten(first.text, 100)}”.`,
      headline: `${blocks.length} ${blocks.length === 1 ? one : many}`,
      reasoning: `On ${where}: ${blocks
        .slice(0, 3)
        .map(({ text }) => `“${shorten(text, 80)}”`)
        .join(
          ", ",
        )}${blocks.length > 3 ? ` and ${blocks.length - 3} more` : ""}. A reader of the page does not see ${blocks.length === 1 ? "it" : "them"}; anyone who opens the file can.${because}`,
      identity: one,
      location: { page: first.page, region: first.region, quote: shorten(first.text, 200) },
      measurement: { value: blocks.length, limit: 0, unit: blocks.length === 1 ? one : many },
    },
  ];
}

const userPath = /(?:[A-Z]:[\\/]+(?:Users|Documents and Settings)[\\/]|\/(?:home|Users)\/)[^\\/\s]+/iu;

/** Programs put themselves where a name belongs, and writers say that there is none. */
function isProgram(value: string): boolean {
  return /^(?:adobe|microsoft|libreoffice|canva|google|python-|openpyxl|\(?(?:anonymous|anon|unknown|unspecified|untitled|nobody|not specified|user|owner|author|admin|administrator|root|none|null|default|n\/a)\)?$|(?:unknown|user|admin|administrator|none|n\/a)\b)/iu.test(
    value.trim(),
  );
}

function describeEntries(entries: MetadataEvidence["entries"]): string {
  return [...new Set(entries.map(({ name, value }) => `${name} “${shorten(value, 60)}”`))].join(", ");
}

function decimals(...values: number[]): number {
  return Math.max(...values.map((value) => String(value).split(".")[1]?.length ?? 0));
}

function precision(...values: number[]): string {
  const metres = 111_000 / 10 ** decimals(...values);
  return metres >= 1000
    ? `${Math.round(metres / 1000)} km`
    : metres >= 1
      ? `${Math.round(metres)} m`
      : "less than a metre";
}
