import { paginate } from "./pages.ts";
import type { Body, Call, Query } from "./transport.ts";

/** The review of assets, by keys and by people. */
export function reviewMethods(call: Call) {
  const ofAsset = (submission_id: string, asset_id: string) => ({ params: { submission_id, asset_id } });
  const ofComment = (submission_id: string, asset_id: string, comment_id: string) => ({
    params: { submission_id, asset_id, comment_id },
  });
  return {
    reviews: {
      list: (query: Query<"listReviews"> = {}) =>
        paginate({ query, read: (query) => call("listReviews", { query }), itemsOf: ({ data }) => data }),
      get: (submissionId: string, assetId: string) => call("readReview", ofAsset(submissionId, assetId)),
      update: (submissionId: string, assetId: string, changes: Body<"changeReview">) =>
        call("changeReview", { ...ofAsset(submissionId, assetId), body: changes }),
      /** Keeps it from the others for minutes. Claim again to go on. */
      claim: (submissionId: string, assetId: string) => call("claimReview", ofAsset(submissionId, assetId)),
      release: (submissionId: string, assetId: string) => call("releaseReview", ofAsset(submissionId, assetId)),
      decide: (submissionId: string, assetId: string, decision: Body<"decideReview">) =>
        call("decideReview", { ...ofAsset(submissionId, assetId), body: decision }),
    },

    comments: {
      list: (submissionId: string, assetId: string, query: Query<"listComments"> = {}) =>
        paginate({
          query,
          read: (query) => call("listComments", { ...ofAsset(submissionId, assetId), query }),
          itemsOf: ({ data }) => data,
        }),
      create: (submissionId: string, assetId: string, comment: Body<"createComment">) =>
        call("createComment", { ...ofAsset(submissionId, assetId), body: comment }),
      update: (submissionId: string, assetId: string, commentId: string, changes: Body<"changeComment">) =>
        call("changeComment", { ...ofComment(submissionId, assetId, commentId), body: changes }),
      delete: (submissionId: string, assetId: string, commentId: string) =>
        call("deleteComment", ofComment(submissionId, assetId, commentId)),
    },

    audit: {
      list: (query: Query<"listAudit"> = {}) =>
        paginate({ query, read: (query) => call("listAudit", { query }), itemsOf: ({ data }) => data }),
      /** The whole audit as NDJSON or CSV. */
      export: async (query: Query<"exportAudit"> = {}) => (await call("exportAudit", { query })).text(),
    },
  };
}

/** For people only: the session's cookie speaks, never a key. */
export function peopleMethods(call: Call) {
  return {
    session: {
      options: () => call("readSignInOptions"),
      signIn: (credentials: Body<"signIn">) => call("signIn", { body: credentials }),
      signOut: () => call("signOut"),
      chooseWorkspace: (choice: Body<"chooseWorkspace">) => call("chooseWorkspace", { body: choice }),
      /** All sessions of the person, on every device. */
      list: () => call("listSessions"),
      end: (sessionId: string) => call("endSession", { params: { session_id: sessionId } }),
    },

    me: {
      get: () => call("readMe"),
      update: (changes: Body<"changeMe">) => call("changeMe", { body: changes }),
      changePassword: (change: Body<"changePassword">) => call("changePassword", { body: change }),
    },

    people: {
      list: () => call("listPeople"),
      update: (personId: string, changes: Body<"changePerson">) =>
        call("changePerson", { params: { person_id: personId }, body: changes }),
      remove: (personId: string) => call("removePerson", { params: { person_id: personId } }),
      createResetLink: (personId: string) => call("createResetLink", { params: { person_id: personId } }),
      invite: (invitation: Body<"createInvitation">) => call("createInvitation", { body: invitation }),
      invitations: () => call("listInvitations"),
      withdrawInvitation: (invitationId: string) =>
        call("deleteInvitation", { params: { invitation_id: invitationId } }),
    },

    keys: {
      list: () => call("listKeys"),
      /** The key itself is in this answer only. */
      create: (key: Body<"createKey">) => call("createKey", { body: key }),
      revoke: (keyId: string) => call("revokeKey", { params: { key_id: keyId } }),
    },

    workspace: {
      get: () => call("readWorkspace"),
      update: (changes: Body<"changeWorkspace">) => call("changeWorkspace", { body: changes }),
    },
  };
}
