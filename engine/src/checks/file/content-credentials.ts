import { Type } from "typebox";
import type { ContentCredentials } from "../../evidence/evidence.ts";
import { defineCheckKind, type Hit } from "../check-kind.ts";

/** Content credentials that do not hold, and why: that tells a forgery from an old certificate. */
export const contentCredentials = defineCheckKind({
  kind: "content-credentials",
  about: "Content credentials (C2PA) that are there but do not hold: changed file, expired or unknown signer.",
  parameters: Type.Object({}),
  appliesTo: ["video", "audio", "image"],
  needs: () => ["metadata"],
  run({ evidence }) {
    const found = evidence.metadata?.contentCredentials ?? null;
    if (found === null || found.isValid) return [];
    const signer = found.issuer === null ? "" : ` by ${found.issuer}`;
    const codes = found.problems.slice(0, 5).join(", ");
    const checked = codes === "" ? "No reason is given." : `Checking them gave: ${codes}.`;
    return [{ ...describe(found, { signer, checked }), identity: "" }];
  },
});

type Words = { signer: string; checked: string };

function describe({ problems, isChangeConfirmed = false }: ContentCredentials, words: Words): Omit<Hit, "identity"> {
  const { signer, checked } = words;
  const has = (pattern: RegExp) => problems.some((code) => pattern.test(code));
  if (isChangeConfirmed && has(/Hash\.mismatch/)) {
    return {
      summary: `The file was changed after its content credentials were signed${signer}.`,
      headline: "Changed after it was signed",
      reasoning: `The file carries C2PA credentials${signer}. The hash that was signed is not the hash of this file; two computations agree on it. ${checked}`,
    };
  }
  if (has(/Hash\.mismatch/)) {
    return {
      summary: `The content credentials${signer} do not match the file.`,
      headline: "Credentials and file do not match",
      reasoning: `The file carries C2PA credentials${signer}, and the hash that was signed is not the one that was computed. No second computation could confirm it. ${checked}`,
    };
  }
  if (has(/expired|outsideValidity|revoked/) && !has(/mismatch|missing|invalid(?!ity)/)) {
    return {
      summary: `The certificate that signed the content credentials${signer} was not valid at the time.`,
      headline: "Signed with an expired certificate",
      reasoning: `The file carries C2PA credentials${signer} that match it, but their certificate had expired, was not yet valid or was withdrawn when they were signed. ${checked} Nothing shows that the file was changed.`,
      severity: "MINOR",
    };
  }
  if (problems.length > 0 && problems.every((code) => /untrusted/.test(code))) {
    return {
      summary: `The content credentials${signer} come from a signer that is on no list of trust.`,
      headline: "Signer not trusted",
      reasoning: `The file carries C2PA credentials${signer} that match it, but nobody vouches for their signer. ${checked}`,
      severity: "INFO",
    };
  }
  return {
    summary: `The content credentials${signer} are not sound.`,
    headline: "Content credentials are broken",
    reasoning: `The file carries C2PA credentials${signer}, but they could not be verified. ${checked}`,
  };
}
