import { checkFileIntegrity } from "../checks/file-integrity.ts";
import type { Rule, Sidekick } from "../sidekick.ts";

const rules: readonly Rule[] = [
  {
    code: "FILE-TRUNCATED",
    summary: "The file ends before its own index says",
    severity: "MAJOR",
    why: "What was cut off could not be analysed, and players stop or freeze there.",
    fix: "Export or upload the file again and compare its size with the original.",
    citation: null,
  },
  {
    code: "FILE-DURATION-MISMATCH",
    summary: "Picture and sound differ in length",
    severity: "MINOR",
    why: "A stream that ends early leaves viewers with a frozen picture or with silence.",
    fix: "Trim or extend the shorter stream so that both end together.",
    citation: null,
  },
  {
    code: "FILE-NO-AUDIO",
    summary: "A video without sound",
    severity: "INFO",
    why: "It may be meant so, but a missing sound stream is a frequent slip of an export.",
    fix: "If the film has sound, export it again with its sound stream.",
    citation: null,
  },
  {
    code: "FILE-VARIABLE-FRAME-RATE",
    summary: "Frames are not evenly spaced",
    severity: "MINOR",
    why: "Broadcast and editing systems expect a constant frame rate; sound drifts away from the picture otherwise.",
    fix: "Export with a constant frame rate.",
    citation: null,
  },
  {
    code: "FILE-LOW-RESOLUTION",
    summary: "A picture with fewer than 480 lines",
    severity: "MINOR",
    why: "Small print of such a picture cannot be read on a large screen.",
    fix: "Export from the master in at least 1280 × 720.",
    citation: null,
  },
  {
    code: "FILE-UNKNOWN-COLOUR",
    summary: "The file does not say how its colours are coded",
    severity: "INFO",
    why: "Players then guess between SD and HD colours, and reds and greens shift.",
    fix: "Tag the export with its colour primaries, transfer and matrix (BT.709 for HD).",
    citation: null,
  },
  {
    code: "FILE-EMPTY-DOCUMENT",
    summary: "A document without pages",
    severity: "MINOR",
    why: "There is nothing in it to review.",
    fix: "Check that the right file was exported.",
    citation: null,
  },
];

export const fileIntegrity: Sidekick = {
  sidekickId: "0f4c1f0e-6a3b-4c62-9d5e-1b7f0a2c9e01",
  name: "File integrity",
  description: "Whether the file itself is whole and well made: length, sound, frame rate, size and colour tags.",
  jurisdictions: [],
  mediaKinds: ["video", "audio", "image", "document"],
  packVersion: "1.0.0",
  isDefault: true,
  rules,
  checks: [checkFileIntegrity],
};
