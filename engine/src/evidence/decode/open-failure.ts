import { AnalysisError } from "../../analysis-error.ts";

/** Says for people why libav could not open the file, from what it printed. */
export function explainOpenFailure(stderr: string): AnalysisError {
  const cause = new Error(stderr.slice(-2000));
  if (/not on whitelist/i.test(stderr)) {
    return new AnalysisError(
      "unsupported_media",
      "The file is a playlist or has another format than its type says. Send the media file itself.",
      { cause },
    );
  }
  if (/moov atom not found/i.test(stderr)) {
    return new AnalysisError(
      "corrupt_media",
      "The file has no index (its `moov` part is missing): the recording or the upload was cut off. Export or upload it again.",
      { cause },
    );
  }
  if (/decoder not found|unknown decoder|not currently supported|Function not implemented|No decoder/i.test(stderr)) {
    return new AnalysisError(
      "unsupported_media",
      "The file uses a codec that is not supported. Export it with a common codec such as H.264 and AAC.",
      { cause },
    );
  }
  return new AnalysisError(
    "corrupt_media",
    "The file cannot be read: it is damaged or incomplete. Export or upload it again.",
    { cause },
  );
}
