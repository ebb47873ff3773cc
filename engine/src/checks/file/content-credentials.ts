import { Type } from "typebox";
import { defineCheckKind } from "../check-kind.ts";

/** Content credentials that do not hold: the file was changed after it was signed, or the signature is no good. */
export const contentCredentials = defineCheckKind({
  kind: "content-credentials",
  about: "Content credentials (C2PA) that are there but do not hold.",
  parameters: Type.Object({}),
  appliesTo: ["video", "audio", "image"],
  needs: () => ["metadata"],
  run({ evidence }) {
    const found = evidence.metadata?.contentCredentials ?? null;
    if (found === null || found.isValid) return [];
    const codes = found.problems.length === 0 ? "no reason is given" : found.problems.slice(0, 5).join(", ");
    const signer = found.issuer === null ? "" : ` by ${found.issuer}`;
    return [
      {
        summary: `The content credentials${signer} do not match the file.`,
        headline: "Content credentials are broken",
        reasoning: `The file carries C2PA credentials${signer}, but checking them failed: ${codes}. It was changed after it was signed, or the signature is not sound.`,
        identity: "",
      },
    ];
  },
});
