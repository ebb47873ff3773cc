import { Resolver } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

/** All addresses of a host name. Rejects with a code like ENOTFOUND when there is none. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

/**
 * Asks the name servers by itself rather than by getaddrinfo, whose lookups share four threads with all work on files:
 * a few names with name servers that do not answer would hold up everybody's deliveries.
 */
export function createHostResolver(options: { servers?: string[]; hostsFile?: string } = {}): ResolveHost {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  if (options.servers) resolver.setServers(options.servers);

  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, "");
    // Whatever a name server says, these mean this machine (RFC 6761).
    if (isLocalhost(name)) return ["127.0.0.1", "::1"];
    const fromFile = await addressesInHostsFile(name, options.hostsFile ?? "/etc/hosts");
    if (fromFile.length > 0) return fromFile;

    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [v4, v6].flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    if (found.length === 0) throw v4.status === "rejected" ? v4.reason : notFound(name);
    return found;
  };
}

export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

/** Containers get the names of their neighbours and of their host there. */
async function addressesInHostsFile(name: string, path: string): Promise<string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const [address = "", ...names] = (line.split("#")[0] ?? "").trim().toLowerCase().split(/\s+/);
    return isIP(address) !== 0 && names.includes(name) ? [address] : [];
  });
}

function notFound(name: string): Error {
  return Object.assign(new Error(`no address for ${name}`), { code: "ENOTFOUND" });
}
