import type { Box } from "./read-line.ts";

/** A QR code of a picture, in its pixels. `text` is null where the code is seen and cannot be read. */
export type ReadCode = { text: string | null; box: Box };
