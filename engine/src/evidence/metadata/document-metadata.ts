import type { MetadataCollector } from "./metadata-collector.ts";
import { openPdf } from "../documents/open-pdf.ts";
import { openOffice } from "../documents/office-parts.ts";
import { readXml } from "../documents/xml.ts";
import { readXmp } from "./xmp-metadata.ts";

const pdfNames: Readonly<Record<string, string>> = {
  Author: "author",
  Creator: "software",
  Producer: "software",
  Title: "title",
  Subject: "description",
  Company: "company",
  Manager: "manager",
  CreationDate: "created",
  ModDate: "modified",
};

/** The information dictionary, its own entries too, and XMP. */
export async function readPdfMetadata(file: string, found: MetadataCollector): Promise<void> {
  const { pdf } = await openPdf(file);
  const { info, metadata } = await pdf.getMetadata();
  const entries = info as Record<string, unknown>;
  for (const [key, name] of Object.entries(pdfNames)) found.add(name, entries[key], `PDF ${key}`);
  const custom = (entries["Custom"] ?? {}) as Record<string, unknown>;
  for (const [key, value] of Object.entries(custom)) found.add(key.slice(0, 100), value, "PDF custom");
  const packet: unknown = metadata?.getRaw();
  if (typeof packet === "string") readXmp(packet, found);
}

const officeNames: Readonly<Record<string, string>> = {
  creator: "author",
  lastModifiedBy: "last modified by",
  title: "title",
  subject: "description",
  description: "description",
  created: "created",
  modified: "modified",
  lastPrinted: "last printed",
  Company: "company",
  Manager: "manager",
  Template: "template",
  Application: "software",
  HyperlinkBase: "link base",
};

/** The core, application and custom properties, and where the template lies. */
export async function readOfficeMetadata(file: string, found: MetadataCollector): Promise<void> {
  const parts = await openOffice(file);
  for (const part of ["docProps/core.xml", "docProps/app.xml"]) {
    const xml = await parts.read(part);
    if (xml !== null) readProperties(xml, (name, value) => found.add(officeNames[name] ?? "", value, `Office ${name}`));
  }
  const custom = await parts.read("docProps/custom.xml");
  if (custom !== null) readCustom(custom, (name, value) => found.add(name.slice(0, 100), value, "Office custom"));
  for (const part of parts.names.filter((name) => name.endsWith("settings.xml"))) {
    for (const { type, target } of (await parts.relationsOf(part)).values()) {
      if (type === "attachedTemplate") found.add("template", target, "Office attachedTemplate");
    }
  }
  parts.close();
}

function readProperties(xml: Buffer, take: (name: string, value: string) => void): void {
  let text = "";
  readXml(xml, {
    open: () => void (text = ""),
    text: (piece) => void (text += piece),
    close: (name) => {
      if (Object.hasOwn(officeNames, name)) take(name, text);
      text = "";
    },
  });
}

function readCustom(xml: Buffer, take: (name: string, value: string) => void): void {
  let name = "";
  let text = "";
  readXml(xml, {
    open(tag) {
      if (tag.name === "property") name = tag.attributes["name"] ?? "";
      text = "";
    },
    text: (piece) => void (text += piece),
    close: (closed) => {
      if (closed === "property" || text.trim() === "") return;
      take(name, text);
      text = "";
    },
  });
}
