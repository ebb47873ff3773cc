import { isIP, type LookupFunction, type Socket } from "node:net";
import { buildConnector } from "undici";
import type { NetworkPolicy, Verdict } from "./network-policy.ts";
import { isForbiddenPort } from "./ports.ts";
import type { ResolveHost } from "./resolve-host.ts";

/** A delivery that was refused before a byte of it was sent; the message is public. */
export class RefusedTarget extends Error {
  override name = "RefusedTarget";
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
  /** Told for every connection into a network that the operator opened. */
  onInside: (origin: string) => void;
}): buildConnector.connector {
  const { policy, onInside } = options;
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

    const socket = connect(target, callback) as unknown as Socket;
    // Before a TLS handshake or a request begins.
    socket.prependOnceListener("connect", () => {
      const verdict = policy.judge(socket.remoteAddress ?? "");
      if (!verdict.isAllowed) socket.destroy(new RefusedTarget(verdict.why));
      else if (verdict.isInside) onInside(originOf(target));
    });
  };
}

function guardedLookup({ policy, resolveHost }: { policy: NetworkPolicy; resolveHost: ResolveHost }): LookupFunction {
  return (hostname, { all, family }, callback) => {
    resolveHost(hostname).then(
      (addresses) => {
        const verdicts = addresses.map((address) => ({
          address,
          family: isIP(address),
          verdict: policy.judge(address),
        }));
        const allowed = verdicts.filter((one) => one.verdict.isAllowed && (!family || family === one.family));
        const [first] = allowed;
        const refused = verdicts.map(({ verdict }) => refusalOf(verdict)).find((why) => why !== undefined);
        if (!first) callback(new RefusedTarget(refused ?? `no address found for ${hostname}`), []);
        else if (all)
          callback(
            null,
            allowed.map(({ address, family }) => ({ address, family })),
          );
        else callback(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

function refusalOf(verdict: Verdict): string | undefined {
  return verdict.isAllowed ? undefined : verdict.why;
}

export function originOf({ protocol, host, hostname }: { protocol: string; host?: string; hostname: string }): string {
  return `${protocol}//${host ?? hostname}`;
}
