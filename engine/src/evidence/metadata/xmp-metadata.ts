import type { MetadataCollector } from "./metadata-collector.ts";
import { readXml } from "../documents/xml.ts";

/** Properties by local name; writers put them in attributes, in elements, or in lists of elements. */
const names: Readonly<Record<string, string>> = {
  creator: "author",
  Author: "author",
  AuthorsPosition: "author's position",
  Credit: "credit",
  Owner: "owner",
  title: "title",
  description: "description",
  Headline: "headline",
  rights: "copyright",
  UsageTerms: "usage terms",
  CreatorTool: "software",
  Producer: "software",
  Make: "camera make",
  Model: "camera",
  SerialNumber: "serial number",
  BodySerialNumber: "serial number",
  LensSerialNumber: "lens serial number",
  CreateDate: "created",
  ModifyDate: "modified",
  AISystemUsed: "generator",
  AISystemVersionUsed: "generator",
  AIPromptInformation: "generator parameters",
  AIPromptWriterName: "author",
  ManagedFrom: "template",
};

const coordinates = new Set(["GPSLatitude", "GPSLongitude"]);
const maxXmpCharacters = 4 * 2 ** 20;

/** Reads what an XMP packet says about the maker. A damaged packet says what it said up to there. */
export function readXmp(packet: string, found: MetadataCollector): void {
  const path: string[] = [];
  const gps = new Map<string, string>();
  let text = "";
  const take = (name: string, value: string) => {
    if (name === "DigitalSourceType" || name === "digitalSourceType") found.addSourceType(value, `XMP ${name}`);
    else if (coordinates.has(name)) gps.set(name, value);
    else if (Object.hasOwn(names, name)) found.add(names[name] ?? name, value, `XMP ${name}`);
  };
  try {
    readXml(packet.slice(0, maxXmpCharacters), {
      open({ name, attributes }) {
        path.push(name);
        text = "";
        for (const [attribute, value] of Object.entries(attributes)) {
          take(attribute === "resource" ? name : attribute, value);
        }
      },
      text: (piece) => void (text += piece),
      close() {
        // <dc:creator><rdf:Seq><rdf:li>…: the property is what the list belongs to.
        const property = path.findLast((name) => !["li", "Seq", "Bag", "Alt", "Description", "value"].includes(name));
        path.pop();
        if (property !== undefined && text.trim() !== "") take(property, text.trim());
        text = "";
      },
    });
  } catch {
    // What was taken before it broke off stays.
  }
  const [latitude, longitude] = [parseCoordinate(gps.get("GPSLatitude")), parseCoordinate(gps.get("GPSLongitude"))];
  if (latitude !== null && longitude !== null) found.addGps({ latitude, longitude }, "XMP GPSLatitude");
}

/** The packet in a file of any format, where it stands unpacked; null where there is none. */
export function findXmp(bytes: Buffer): string | null {
  const start = bytes.indexOf("<x:xmpmeta");
  const end = start === -1 ? -1 : bytes.indexOf("</x:xmpmeta>", start);
  return end === -1 ? null : bytes.toString("utf8", start, Math.min(end + 12, start + maxXmpCharacters));
}

/** `33,51.59S` or `33,51,35S` or a plain number. */
function parseCoordinate(text: string | undefined): number | null {
  const match = /^(\d{1,3}),(\d{1,2}(?:\.\d+)?)(?:,(\d{1,2}(?:\.\d+)?))?([NSEW])$/.exec((text ?? "").trim());
  if (match === null) return text !== undefined && /^-?\d{1,3}\.\d+$/.test(text) ? Number(text) : null;
  const degrees = Number(match[1]) + Number(match[2]) / 60 + Number(match[3] ?? 0) / 3600;
  return match[4] === "S" || match[4] === "W" ? -degrees : degrees;
}
