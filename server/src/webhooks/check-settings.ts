import type { App } from "../app.ts";
import { Failure, type FailureDetail } from "../failure.ts";
import { checkHeaders } from "./custom-headers.ts";
import { checkUrl } from "./subscription-url.ts";

/** What a schema cannot check of a subscription's settings: 422 with everything that is wrong at once. */
export function checkSettings(
  { config }: Pick<App, "config">,
  settings: { url?: string | null | undefined; headers?: Record<string, string> | null | undefined },
): void {
  const urlProblem = settings.url === undefined || settings.url === null ? undefined : checkUrl(settings.url, config);
  const details: FailureDetail[] = [
    ...(urlProblem === undefined ? [] : [{ path: "url", message: urlProblem }]),
    ...checkHeaders(settings.headers ?? {}),
  ];
  const [first] = details;
  if (first)
    throw new Failure(
      "invalid_request",
      `The request body is not valid: ${first.path} ${first.message}. See details for all of it.`,
      { details },
    );
}
