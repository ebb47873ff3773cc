/** What a stream follows: one submission, or what ends in a whole workspace. */
export type Channel = { name: string; workspaceId: string } & (
  | { kind: "submission"; submissionId: string }
  | { kind: "workspace" }
);

export const channelPattern =
  "^private-(submission-[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|workspace-ws_[a-z2-7]{16})$";

const submissionPrefix = "private-submission-";
const workspacePrefix = "private-workspace-";

export function submissionChannel({
  submissionId,
  workspaceId,
}: {
  submissionId: string;
  workspaceId: string;
}): Channel {
  return { kind: "submission", name: submissionPrefix + submissionId, submissionId, workspaceId };
}

export function workspaceChannel(workspaceId: string): Channel {
  return { kind: "workspace", name: workspacePrefix + workspaceId, workspaceId };
}

export function kindOf(name: string): Channel["kind"] {
  return name.startsWith(submissionPrefix) ? "submission" : "workspace";
}

/** The channel of a name that fits the pattern, as a caller of the workspace sees it; undefined when it is another workspace's. */
export function channelOf(name: string, workspaceId: string): Channel | undefined {
  if (kindOf(name) === "submission")
    return submissionChannel({ submissionId: name.slice(submissionPrefix.length).toLowerCase(), workspaceId });
  return name === workspacePrefix + workspaceId ? workspaceChannel(workspaceId) : undefined;
}
