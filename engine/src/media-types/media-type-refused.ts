/** A declared type that is not allowed, or bytes that are of another type. The message says what to do. */
export class MediaTypeRefused extends Error {
  override name = "MediaTypeRefused";
  readonly code: "content_type_not_allowed" | "content_does_not_match_type";

  constructor(code: MediaTypeRefused["code"], message: string) {
    super(message);
    this.code = code;
  }
}
