/** Networks that are not the public internet (IANA special-purpose address registries), by what they are. */
const NETWORKS: Readonly<Record<string, string>> = {
  "0.0.0.0/8": "this machine",
  "10.0.0.0/8": "a private network",
  "100.64.0.0/10": "the network of a carrier",
  "127.0.0.0/8": "this machine",
  "169.254.0.0/16": "the local link, with the metadata of clouds",
  "172.16.0.0/12": "a private network",
  "192.0.0.0/24": "reserved",
  "192.0.2.0/24": "for documentation",
  "192.168.0.0/16": "a private network",
  "198.18.0.0/15": "for benchmarks",
  "198.51.100.0/24": "for documentation",
  "203.0.113.0/24": "for documentation",
  "224.0.0.0/4": "for multicast",
  "240.0.0.0/4": "reserved",
  "2001:db8::/32": "for documentation",
  "2002::/16": "a tunnel",
  "64:ff9b:1::/48": "a private network",
  "fc00::/7": "a private network",
  "fe80::/10": "the local link",
  "fec0::/10": "a private network",
  "ff00::/8": "for multicast",
};
/** IPv6 networks that hold all IPv4 addresses: mapped (RFC 4291), compatible, and NAT64 (RFC 6052). */
const IPV4_INSIDE = ["::ffff:", "::", "64:ff9b::"];
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;

const BLOCKS = Object.entries(NETWORKS).flatMap(([network, what]) => {
  const [address = "", bits] = network.split("/");
  const inside = IPV4.test(address) ? IPV4_INSIDE.map((prefix) => `${prefix}${address}/${96 + Number(bits)}`) : [];
  return [network, ...inside].map((block) => ({ block, what }));
});

/** All networks as CIDR blocks, those of IPv4 also inside IPv6. */
export const PRIVATE_NETWORKS: readonly string[] = BLOCKS.map(({ block }) => block);

/** Returns the 128 bits of an IP address; an IPv4 address is mapped. Undefined for other text. */
const bitsOf = (address: string): bigint | undefined => {
  const host = URL.parse(`http://[${IPV4.test(address) ? `::ffff:${address}` : address}]/`)?.hostname.slice(1, -1);
  if (host === undefined) return undefined;
  const [left = [], right = []] = host.split("::").map((half) => half.split(":").filter((group) => group !== ""));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => "0");
  return BigInt(`0x${[...left, ...zeros, ...right].map((group) => group.padStart(4, "0")).join("")}`);
};

const RANGES = BLOCKS.filter(({ block }) => block.includes(":")).map(({ block, what }) => {
  const [address = "", bits] = block.split("/");
  const shift = BigInt(128 - Number(bits));
  return { start: (bitsOf(address) ?? 0n) >> shift, shift, what };
});

/** Returns what an IP address belongs to, if that is not the public internet: "a private network". */
export const privateNetworkOf = (address: string): string | undefined => {
  const bits = bitsOf(address);
  return bits === undefined ? undefined : RANGES.find(({ start, shift }) => bits >> shift === start)?.what;
};
