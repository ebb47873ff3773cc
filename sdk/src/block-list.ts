/** Azure's list of blocks. All ids of an object have one length. */
export function blockId(block: number): string {
  return btoa(`greenlit-${String(block).padStart(6, "0")}`);
}

export function blockListXml(count: number): string {
  const blocks = Array.from({ length: count }, (_, block) => `<Latest>${blockId(block)}</Latest>`);
  return `<?xml version="1.0" encoding="utf-8"?><BlockList>${blocks.join("")}</BlockList>`;
}

/** The sizes of the blocks by their ids. */
export function parseBlockList(xml: string): { committed: Map<string, number>; uncommitted: Map<string, number> } {
  const part = (name: string) => {
    const [, text = ""] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(xml) ?? [];
    const blocks = text.matchAll(/<Block>\s*<Name>([^<]*)<\/Name>\s*<Size>(\d+)<\/Size>/g);
    return new Map(Array.from(blocks, ([, id = "", size = ""]) => [id, Number(size)]));
  };
  return { committed: part("CommittedBlocks"), uncommitted: part("UncommittedBlocks") };
}
