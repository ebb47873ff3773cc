import { isIP, type LookupFunction, type Socket } from "node:net";
import { callbackify } from "node:util";
import { buildConnector } from "undici";
import type { NetworkPolicy, Verdict } from "./network-policy.ts";
import { isForbiddenPort } from "./ports.ts";
import type { ResolveHost } from "./resolve-host.ts";

/** A delivery that was refused before a byte of it was sent; the message is public. */
export class RefusedTarget extends Error {
  override name = "RefusedTarget";
}

/** Without the address: who may subscribe could ask for the private addresses of a network's names one by one. */
function refusedName(hostname: string): RefusedTarget {
  return new RefusedTarget(
    `the host ${hostname} is not allowed: its address is not public; GREENLIT_WEBHOOK_ALLOW would allow it`,
  );
}

/**
 * Connects only where the policy allows. The check is made on what is connected to: a check of the URL beforehand is
 * beaten by a name that resolves to something else a moment later. Literal addresses are checked here because no
 * lookup happens for them, answers of the lookup before one of them is used, and the socket's own address at the end.
 */
export function createGuardedConnector(options: {
  policy: NetworkPolicy;
  resolveHost: ResolveHost;
  connectTimeoutMs: number;
  /** Certificate authorities instead of the system's; for tests. */
  ca?: string;
  /** Called for every connection into a network that the operator allowed. */
  onInside: (origin: string) => void;
  /** For the operator: what a name's address was, and why it is refused. */
  onRefused?: ((refusal: { hostname: string; why: string }) => void) | undefined;
}): buildConnector.connector {
  const { policy, onInside, onRefused } = options;
  const connect = buildConnector({
    allowH2: false,
    timeout: options.connectTimeoutMs,
    lookup: guardedLookup(options),
    // With several addresses the next one is tried when one does not answer, instead of waiting for the first.
    autoSelectFamily: true,
    ...(options.ca !== undefined && { ca: options.ca }),
  });

  return (target, callback) => {
    const literal = target.hostname.replace(/^\[(.*)\]$/, "$1");
    const port = Number(target.port || (target.protocol === "https:" ? 443 : 80));
    const refusal = isForbiddenPort(port)
      ? `port ${port} is not one that webhooks are sent to`
      : isIP(literal) === 0
        ? undefined
        : refusalOf(policy.judge(literal));
    if (refusal !== undefined) {
      callback(new RefusedTarget(refusal), null);
      return;
    }

    let refused: RefusedTarget | undefined;
    const answer: buildConnector.Callback = (...args) => (refused ? callback(refused, null) : callback(...args));
    const socket = connect(target, answer) as unknown as Socket;
    // Before a TLS handshake or a request begins.
    socket.prependOnceListener("connect", () => {
      const verdict = policy.judge(socket.remoteAddress ?? "");
      if (verdict.isAllowed && verdict.isInside) onInside(originOf(target));
      if (verdict.isAllowed) return;
      const { hostname } = target;
      onRefused?.({ hostname, why: verdict.why });
      refused = isIP(literal) === 0 ? refusedName(hostname) : new RefusedTarget(verdict.why);
      socket.destroy(refused);
    });
  };
}

/** Only the allowed ones of a name's addresses are ever tried; a name that has none of them is refused. */
function guardedLookup({
  policy,
  resolveHost,
  onRefused,
}: {
  policy: NetworkPolicy;
  resolveHost: ResolveHost;
  onRefused?: ((refusal: { hostname: string; why: string }) => void) | undefined;
}): LookupFunction {
  const findAllowed = callbackify(async (hostname: string, wanted: number) => {
    const addresses = (await resolveHost(hostname)).map((address) => ({ address, family: isIP(address) }));
    const verdicts = addresses.map(({ address }) => policy.judge(address));
    const allowed = addresses.filter(({ family }, i) => verdicts[i]?.isAllowed && (wanted === 0 || wanted === family));
    if (allowed.length > 0) return allowed;
    const refusal = verdicts.map(refusalOf).find((why) => why !== undefined);
    if (refusal === undefined) throw new RefusedTarget(`no address found for ${hostname}`);
    onRefused?.({ hostname, why: refusal });
    throw refusedName(hostname);
  });
  return (hostname, { all, family }, callback) =>
    findAllowed(hostname, family === 4 || family === 6 ? family : 0, (error, addresses) => {
      const first = addresses?.[0];
      if (error || !first) callback(error, []);
      else if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}

function refusalOf(verdict: Verdict): string | undefined {
  return verdict.isAllowed ? undefined : verdict.why;
}

function originOf({ protocol, host, hostname }: { protocol: string; host?: string; hostname: string }): string {
  return `${protocol}//${host ?? hostname}`;
}
