import { SaxesParser } from "saxes";
import { AnalysisError } from "../../analysis-error.ts";

/** Names and attribute names without their prefix: writers choose prefixes as they like. */
export type XmlTag = { name: string; attributes: Readonly<Record<string, string>> };

export type XmlHandlers = {
  open?: (tag: XmlTag) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
};

/** Deeper than any document; a parser's stack must not grow with what it is sent. */
const maxDepth = 512;

/**
 * Reads XML of a foreign file. A document type is refused: with it come entities, which can grow a few bytes to
 * gigabytes or name files. XML that breaks off is an error, what was read before it is still handed out.
 */
export function readXml(source: Uint8Array | string, handlers: XmlHandlers): void {
  const parser = new SaxesParser({ position: false });
  let depth = 0;
  parser.on("error", (error) => {
    throw broken(error);
  });
  parser.on("doctype", () => {
    throw broken(new Error("document type"));
  });
  parser.on("opentag", (tag) => {
    depth += 1;
    if (depth > maxDepth) throw broken(new Error("too deep"));
    handlers.open?.({ name: localName(tag.name), attributes: localAttributes(tag.attributes) });
  });
  parser.on("closetag", (tag) => {
    depth -= 1;
    handlers.close?.(localName(tag.name));
  });
  if (handlers.text !== undefined) {
    parser.on("text", handlers.text);
    parser.on("cdata", handlers.text);
  }
  parser.write(typeof source === "string" ? source : decode(source)).close();
}

/** Office writes `0`, `false` and `off` for no; the mere presence of a switch means yes. */
export function isOn(value: string | undefined): boolean {
  return value === undefined || !["0", "false", "off", "none"].includes(value);
}

function decode(bytes: Uint8Array): string {
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  const encoding = isUtf16 ? (bytes[0] === 0xff ? "utf-16le" : "utf-16be") : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function localAttributes(attributes: Record<string, unknown>): Record<string, string> {
  const local: Record<string, string> = {};
  // `id` and `r:id` on one element mean different things: the prefixed one keeps its prefix where both are there.
  for (const [name, value] of Object.entries(attributes)) {
    const short = localName(name);
    local[short !== name && short in attributes ? name : short] = String(value);
  }
  return local;
}

function broken(cause: unknown): AnalysisError {
  return new AnalysisError("corrupt_media", "The document cannot be read: a part of it is damaged. Save it again.", {
    cause,
  });
}
