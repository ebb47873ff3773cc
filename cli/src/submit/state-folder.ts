import { homedir } from "node:os";
import { join } from "node:path";

/** What commands remember between runs. */
export function stateFolder(): string {
  return join(process.env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "greenlit");
}
