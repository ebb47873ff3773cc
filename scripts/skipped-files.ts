import { relative } from "node:path";
import type { TestEvent } from "node:test/reporters";

/** A reporter of the test runner: the files in which a test was skipped, one a line, for a pass that has what they need. */
// oxlint-disable-next-line import/no-default-export -- the runner asks for it
export default async function* listSkippedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const files = new Set<string>();
  for await (const { type, data } of events)
    if (type === "test:pass" && data.skip !== undefined && data.file !== undefined) files.add(relative("", data.file));
  for (const file of files) yield `${file}\n`;
}
