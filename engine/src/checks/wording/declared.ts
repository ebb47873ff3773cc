import { Type } from "typebox";
import { defineCheckKind, everyKind } from "../check-kind.ts";

/** Two things that were declared and cannot go together: wrong whatever the file says or shows, silent films included. */
export const declared = defineCheckKind({
  kind: "declared",
  about: "What was declared about the file: a sector that may not be shown to that audience at all.",
  parameters: Type.Object({}),
  appliesTo: everyKind,
  needs: () => [],
  run({ context: { sector, audience }, undeclared }) {
    if (undeclared.includes("sector") || undeclared.includes("audience")) return [];
    return [
      {
        summary: `The file is declared as “${sector}” for an audience of “${audience}”.`,
        headline: `“${sector}” declared for “${audience}”`,
        reasoning: `The submission itself declares the sector “${sector}” and the audience “${audience}”: what the file says and shows makes no difference.`,
        identity: "",
      },
    ];
  },
});
