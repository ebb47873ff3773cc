import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faultsOf } from "@greenlit/engine/testing/evasive-faults.ts";
import { evasiveDocuments } from "../../../engine/golden/documents/evasive.ts";
import { atMost, say } from "../report.ts";
import { gather, type Part } from "./reading-part.ts";

/** Documents that hide what they say. */
export const readDocuments: Part = async ({ models, only }) => {
  const folder = await mkdtemp(join(tmpdir(), "greenlit-evasive-"));
  const tally = { documents: 0, misread: 0 };
  for (const document of (await evasiveDocuments()).filter(({ name }) => name.includes(only))) {
    const file = join(folder, document.name);
    await writeFile(file, document.bytes);
    const mediaType = { contentType: document.contentType, category: "document" } as const;
    const { document: found, omissions } = await gather(models, { file, mediaType, keys: ["document"] });
    const faults = found === null ? ["not read"] : faultsOf(document, { found, omissions });
    tally.documents += 1;
    if (faults.length > 0) tally.misread += 1;
    for (const fault of faults) say(`misread    ${document.name}: ${fault}`);
  }
  await rm(folder, { recursive: true });
  return { bars: [atMost("evasive documents that are misread in silence", tally.misread, 0)], figures: tally };
};
