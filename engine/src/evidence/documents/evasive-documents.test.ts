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
import { faultsOf } from "../../testing/evasive-faults.ts";
import { probeFile } from "../probe/probe.ts";
import type { Probe } from "../probe/probe-shape.ts";
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
      const probe = await save(document);

      const found = await read(document, probe);

      const omissions = describeOmissions({ ...emptyEvidence(probe), document: found });
      assert.deepEqual(faultsOf(document, { found, omissions }), [], JSON.stringify(found.pages));
    });
  }
});

type Source = { name: string; contentType: string; bytes: Buffer };

async function read(source: Source, probe: Probe): Promise<DocumentEvidence> {
  const mediaType = { contentType: source.contentType, category: "document" } as const;
  const found = await gatherReadDocument({
    file: join(folder, source.name),
    mediaType,
    probe,
    models,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  assert.ok(found !== null);
  return found;
}

async function save({ name, contentType, bytes }: Source): Promise<Probe> {
  await writeFile(join(folder, name), bytes);
  return probeFile({ file: join(folder, name), mediaType: { contentType, category: "document" } });
}
