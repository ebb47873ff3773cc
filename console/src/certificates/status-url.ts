import { base } from "../api/client.ts";

/** The page that anybody with the certificate can open: the code on paper leads there. */
export function statusUrl(certificateId: string): string {
  return `${location.origin}${base}/console/status/${certificateId}`;
}
