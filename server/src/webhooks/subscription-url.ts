import { isIP } from "node:net";
import type { Config } from "../config.ts";
import { createNetworkPolicy } from "./sending/network-policy.ts";
import { isForbiddenPort } from "./sending/ports.ts";
import { isLocalhost } from "./sending/resolve-host.ts";

/**
 * What is wrong with the address of a receiver, or undefined. Refuses early what can never work; what protects
 * the network is the check of each connection.
 */
export function checkUrl(text: string, config: Pick<Config, "webhookAllow" | "webhookHttp">): string | undefined {
  // The parser would drop them silently, and the address shown would not be the one used.
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x20\x7f\\]/.test(text)) return "must not contain spaces, control characters or backslashes";
  const url = URL.parse(text);
  if (!url) return "is not a valid URL";
  // The parser would add the slashes.
  if (!/^https?:\/\/[^/]/i.test(text)) return "must begin with https://";
  if (url.protocol === "http:" && !config.webhookHttp)
    return "must begin with https://; http is not allowed unless the operator sets GREENLIT_WEBHOOK_HTTP";
  // The parser drops an empty user name, as in https://@host/, without a word.
  if (url.username !== "" || url.password !== "" || /^https?:\/\/[^/?#]*@/i.test(text))
    return "must not contain a user name or password; use headers for credentials";
  if (url.port !== "" && isForbiddenPort(Number(url.port)))
    return `must not use port ${url.port}, which belongs to another protocol`;
  return checkHost(url.hostname.replace(/^\[(.*)\]$/, "$1"), config);
}

function checkHost(host: string, { webhookAllow }: Pick<Config, "webhookAllow">): string | undefined {
  const addresses = isIP(host) ? [host] : isLocalhost(host) ? ["127.0.0.1", "::1"] : [];
  if (addresses.length === 0) return undefined;
  const policy = createNetworkPolicy(webhookAllow);
  const verdicts = addresses.map((address) => policy.judge(address));
  if (verdicts.some(({ isAllowed }) => isAllowed)) return undefined;
  const [refused] = verdicts;
  return refused && !refused.isAllowed ? `cannot be reached: ${refused.why}` : undefined;
}
