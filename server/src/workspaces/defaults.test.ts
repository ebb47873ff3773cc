import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startTestService } from "../testing/test-service.ts";
import { setDefaults } from "./manage-workspaces.ts";

const service = await startTestService({ role: "api", env: { GREENLIT_DEFAULT_SIDEKICKS: "" } });
after(() => service[Symbol.asyncDispose]());
const [first, second] = service.app.sidekicks.map(({ sidekickId }) => sidekickId);
assert.ok(first && second);

async function sidekicksOf(workspace: Awaited<ReturnType<typeof service.newWorkspace>>): Promise<unknown> {
  const { submissionId } = await workspace.submit({ assets: [{ blobPath: await workspace.upload() }] });
  return (await workspace.call("GET", `/submissions/${submissionId}`)).json["sidekickIds"];
}

test("a submission that names no sidekicks gets the workspace's own, and all default ones where there are none", async () => {
  const workspace = await service.newWorkspace();
  const other = await service.newWorkspace();
  await setDefaults(service.app, { workspace: workspace.workspaceId, sidekickIds: [second] });

  const [own, common] = [await sidekicksOf(workspace), await sidekicksOf(other)];

  assert.deepEqual(own, [second]);
  assert.equal((common as string[]).length, service.app.sidekicks.length);
});

test("an unknown sidekick is refused with the command that lists them", async () => {
  const { workspaceId } = await service.newWorkspace();

  await assert.rejects(
    setDefaults(service.app, { workspace: workspaceId, sidekickIds: ["nobody"] }),
    /greenlit rules list/,
  );
});
