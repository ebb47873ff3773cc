import { loadPacks } from "../rules/load-packs.ts";
import type { Rule, Sidekick } from "../sidekick.ts";

/** A sidekick of these rules; whatever a test does not care about is filled in. */
export function makeSidekick(...rules: (Pick<Rule, "check"> & Partial<Rule>)[]): Sidekick {
  return {
    sidekickId: "0197a3a0-0000-7000-8000-000000000001",
    name: "Test",
    description: "",
    jurisdictions: [],
    mediaKinds: ["video", "audio", "image", "document"],
    packVersion: "1.0.0",
    isDefault: false,
    rules: rules.map((rule, index) => ({
      code: `T-${index + 1}`,
      version: "1",
      summary: "A test",
      severity: "MAJOR",
      why: "It is a duty.",
      fix: "Change it.",
      citation: null,
      jurisdictions: [],
      sectors: [],
      channels: [],
      audiences: [],
      destinations: [],
      from: null,
      whenUndeclared: "lower",
      needsHuman: false,
      precedents: [],
      ...rule,
    })),
  };
}

/** One of the built-in sidekicks, by the name of its folder. */
export async function builtIn(folder: string): Promise<Sidekick> {
  const pack = (await loadPacks()).find((candidate) => candidate.folder.endsWith(`/${folder}`));
  if (pack === undefined) throw new Error(`There is no pack ${folder}.`);
  return pack.sidekick;
}
