import ipaddr from "ipaddr.js";

type Network = [ipaddr.IPv4 | ipaddr.IPv6, number];

export type Verdict =
  | { isAllowed: true; /** Only because the operator opened its network. */ isInside: boolean }
  | { isAllowed: false; why: string };

/** Which addresses deliveries may be sent to: public ones, and the networks that the operator opened. */
export type NetworkPolicy = { judge(address: string): Verdict };

export function createNetworkPolicy(allowedNetworks: readonly string[]): NetworkPolicy {
  const allowed = allowedNetworks.map(parseNetwork).filter((network) => network !== undefined);
  return {
    judge(address) {
      const parsed = parseAddress(address);
      if (!parsed) return { isAllowed: false, why: `${address} is not an address` };
      // No receiver is there, and an operator who allows 0.0.0.0/0 hardly means to hand out the machine's credentials.
      const meant = [parsed, ...embeddedIpv4(parsed)];
      if (metadataAddresses.some((network) => meant.some((one) => matches(one, network))))
        return { isAllowed: false, why: `the address ${address} is a cloud metadata service, which is never allowed` };
      if (isPublic(parsed)) return { isAllowed: true, isInside: false };
      if (allowed.some((network) => matches(parsed, network))) return { isAllowed: true, isInside: true };
      return {
        isAllowed: false,
        why: `the address ${address} is not public; GREENLIT_WEBHOOK_ALLOW would allow it`,
      };
    },
  };
}

/** A network like 10.0.0.0/8 or fd00::/8, or one address; undefined when the text is neither. */
export function parseNetwork(text: string): Network | undefined {
  const [address = "", bits, ...rest] = text.split("/");
  const parsed = parseAddress(address);
  if (!parsed || rest.length > 0) return undefined;
  const most = parsed.kind() === "ipv4" ? 32 : 128;
  if (bits === undefined) return [parsed, most];
  return /^\d{1,3}$/.test(bits) && Number(bits) <= most ? [parsed, Number(bits)] : undefined;
}

/** Strict: ipaddr.js alone also reads 010.0.0.1 (octal), 10.1 and addresses with a zone. */
function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  if (text.includes(":") && !text.includes("%") && ipaddr.IPv6.isValid(text)) return ipaddr.IPv6.parse(text);
  return undefined;
}

/**
 * The IPv4 addresses that an IPv6 address may lead to: mapped, translated, compatible, NAT64 (by RFC 6052 its local
 * prefix may hold the address in three places), 6to4 and Teredo. A network that is opened may have such a gateway.
 */
function embeddedIpv4(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4[] {
  if (address instanceof ipaddr.IPv4) return [];
  const bytes = address.toByteArray();
  const at = (...places: number[]) => new ipaddr.IPv4(places.map((place) => bytes[place] ?? 0));
  const teredo = () => new ipaddr.IPv4([12, 13, 14, 15].map((place) => (bytes[place] ?? 0) ^ 255));
  return [at(12, 13, 14, 15), at(2, 3, 4, 5), at(6, 7, 9, 10), at(7, 9, 10, 11), at(9, 10, 11, 12), teredo()];
}

const globalUnicast = ipaddr.IPv6.parse("2000::");

/** IPv6 only where addresses are given out, and no form that carries an IPv4 address: its gateway may stand inside. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || matches(address, [globalUnicast, 3]);
}

function matches(address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Network): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}

/** AWS, Google, Azure and others; AWS containers; Azure's host; Alibaba; Oracle; AWS, Google and OpenStack over IPv6. */
const metadataAddresses = [
  "169.254.169.254",
  "169.254.170.2",
  "169.254.170.23",
  "168.63.129.16",
  "100.100.100.200",
  "192.0.0.192",
  "fd00:ec2::254",
  "fd00:ec2::23",
  "fd20:ce::254",
  "fe80::a9fe:a9fe",
]
  .map(parseNetwork)
  .filter((network) => network !== undefined);
