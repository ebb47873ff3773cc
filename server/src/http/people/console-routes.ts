import type { Route } from "../route.ts";
import { createInvitation, deleteInvitation, listInvitations } from "./invitation-routes.ts";
import { createKey, listKeys, revokeKey } from "./key-routes.ts";
import { changeMe, changePassword, chooseWorkspace, endSession, listSessions, readMe, signOut } from "./me-routes.ts";
import { beginSingleSignOn, finishSingleSignOn } from "./oidc-routes.ts";
import { changePerson, createResetLink, listPeople, removePerson } from "./people-routes.ts";
import { acceptInvitation, readSignInOptions, resetPassword, setUp, signIn } from "./sign-in-routes.ts";
import { listRuleExamples, tryText } from "./rule-routes.ts";
import { readUsage } from "./usage-routes.ts";
import { changeWorkspace, readWorkspace } from "./workspace-routes.ts";

/** For people only: no plan limits them, and no key may call them. */
export const consoleRoutes: readonly Route[] = [
  readSignInOptions,
  setUp,
  signIn,
  beginSingleSignOn,
  finishSingleSignOn,
  chooseWorkspace,
  signOut,
  readMe,
  changeMe,
  changePassword,
  listSessions,
  endSession,
  resetPassword,
  listPeople,
  changePerson,
  removePerson,
  createResetLink,
  listInvitations,
  createInvitation,
  acceptInvitation,
  deleteInvitation,
  listKeys,
  createKey,
  revokeKey,
  readWorkspace,
  changeWorkspace,
  listRuleExamples,
  tryText,
  readUsage,
];
