import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { evasiveDocuments } from "../../../golden/documents/evasive.ts";
import { findModels } from "../../models/find-models.ts";
import { openModels } from "../../models/open-models.ts";
import { emptyEvidence } from "../empty-evidence.ts";
import type { DocumentEvidence } from "../evidence.ts";
import { describeOmissions } from "../omissions.ts";
import { probeFile } from "../probe/probe.ts";
import { gatherReadDocument } from "./document-reading.ts";

const folder = await mkdtemp(join(tmpdir(), "greenlit-evasive-"));
const models = openModels();
after(async () => {
  await models[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
const skip = findModels().canReadText ? false : "the models are not installed here";

suite("what a person reads is read, whatever the file does to hide it", { skip, concurrency: 2 }, async () => {
  for (const document of await evasiveDocuments()) {
    test(document.name, async () => {
      const found = await read(document);

      for (const [text, page] of Object.entries(document.reads ?? {})) {
        assert.ok(lettersOf(found.pages[page - 1]?.text ?? "").includes(lettersOf(text)), JSON.stringify(found.pages));
      }
      for (const text of document.hides ?? []) {
        const hidden = found.pages.flatMap(({ blocks }) => blocks).filter(({ kind }) => kind === "hidden");
        assert.ok(
          hidden.some((block) => block.text.includes(text)),
          JSON.stringify(found.pages),
        );
        assert.ok(
          found.pages.every((page) => !page.text.includes(text)),
          JSON.stringify(found.pages),
        );
      }
      assert.equal((found.lies ?? []).length > 0, document.lies === true, JSON.stringify(found.lies));
      const omissions = describeOmissions({ ...emptyEvidence(await probe(document)), document: found });
      if (document.omits === undefined) assert.deepEqual(omissions, []);
      else assert.match(omissions.join("\n"), document.omits);
    });
  }
});

type Source = { name: string; contentType: string; bytes: Buffer };

async function read(source: Source): Promise<DocumentEvidence> {
  const mediaType = { contentType: source.contentType, category: "document" } as const;
  const found = await gatherReadDocument({
    file: join(folder, source.name),
    mediaType,
    probe: await probe(source),
    models,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  assert.ok(found !== null);
  return found;
}

async function probe({ name, contentType, bytes }: Source) {
  await writeFile(join(folder, name), bytes);
  return probeFile({ file: join(folder, name), mediaType: { contentType, category: "document" } });
}

/** A reader may take a capital for a small letter or lose a space. */
function lettersOf(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}
