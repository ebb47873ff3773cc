import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { givenSubmission } from "../../testing/given-submission.ts";
import { startTestService } from "../../testing/test-service.ts";

test("of two hundred reads at once each gets its own submission, and nobody another workspace's", async () => {
  await using service = await startTestService({ role: "api" });
  const workspaces = [await service.newWorkspace(), await service.newWorkspace()];
  const given = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      givenSubmission(service.app, { workspaceId: workspaces[index % 2]?.workspaceId ?? "" }),
    ),
  );
  const wanted = [...given.map(({ submissionId }) => submissionId), randomUUID()];

  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const workspace = workspaces[index % 2];
      const submissionId = wanted[index % wanted.length] ?? "";
      const answer = await workspace?.call("GET", `/submissions/${submissionId}`);
      const owner = given.find((each) => each.submissionId === submissionId)?.workspaceId;
      return { answer, submissionId, isOwn: owner === workspace?.workspaceId };
    }),
  );

  for (const { answer, submissionId, isOwn } of answers) {
    assert.equal(answer?.status, isOwn ? 200 : 404);
    if (isOwn) assert.equal(answer?.json["submissionId"], submissionId);
  }
  assert.equal(answers.filter(({ isOwn }) => isOwn).length > 50, true);
});
