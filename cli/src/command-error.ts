/** What the caller asked for cannot be done; the message says why and what to do. */
export class CommandError extends Error {
  override name = "CommandError";
}
