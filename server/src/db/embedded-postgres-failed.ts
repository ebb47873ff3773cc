/** The embedded PostgreSQL cannot be had; the message says why and what to do. */
export class EmbeddedPostgresFailed extends Error {
  override name = "EmbeddedPostgresFailed";
}
