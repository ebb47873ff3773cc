/** The embedded PostgreSQL is not available; the message says why and what to do. */
export class EmbeddedPostgresFailed extends Error {
  override name = "EmbeddedPostgresFailed";
}
