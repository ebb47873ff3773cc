import { Failure } from "./failure.ts";

/** What a 404 says of each thing that a caller can name: as an answer, and as an example in the OpenAPI description. */
export const notFoundMessages = {
  submission: "There is no such submission in this workspace. Check the id and the key.",
  asset: "There is no such asset in this submission and workspace. Check the ids and the key.",
  issue: "There is no such issue in this asset and workspace. Check the ids and the key.",
  comment: "There is no such comment in this asset and workspace. Check the ids and the key.",
  certificate: "There is no such certificate in this workspace. Check the id and the key.",
  rejudge: "There is no such rejudge run in this workspace. Check the id and the key.",
  sidekick: "There is no such sidekick. GET /api/integrations/sidekicks lists them.",
  channel: "There is no such channel in this workspace. Check its name and the key.",
  subscription: "There is no such webhook subscription in this workspace. Check the id and the key.",
  delivery: "There is no such delivery of this subscription. Check the id and the key.",
  person: "There is no such person in this workspace. Check the id.",
  invitation: "There is no such invitation in this workspace. Check the id.",
  session: "You have no such session. It may have ended already.",
  key: "There is no such key in this workspace. Check the id.",
} as const;

export function notFound(thing: keyof typeof notFoundMessages): Failure {
  return new Failure("not_found", notFoundMessages[thing]);
}
