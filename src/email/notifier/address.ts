import { parse } from "tldts";

/** Local-only names (RFC 6761, RFC 6762, RFC 8375, RFC 9476) and usual private names. */
const LOCAL =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa|alt|onion|test|invalid)$/;
const IP = /^\d+\.\d+\.\d+\.\d+$|^\[/;
const PORTS = new Set(["", "2053", "2083", "2087", "2096", "8443"]);
const MAX_LENGTH = 2_000;

/**
 * Returns why a webhook may not use this address. `URL` normalizes all IPv4 forms first.
 *
 * @param allowPrivate for development: also local names, IP addresses, http and any port
 */
export const addressProblem = (address: string, allowPrivate: boolean): string | undefined => {
  const url = URL.parse(address);
  if (url === null || url.href.length > MAX_LENGTH || !/^https?:$/.test(url.protocol))
    return `must be an address such as https://app.example.com/webhooks, of at most ${MAX_LENGTH} characters`;
  if (url.username !== "" || url.password !== "") return "must not have a user or a password";
  const host = url.hostname.replace(/\.$/, "");
  const isPublic = !IP.test(host) && !LOCAL.test(host) && isName(host);
  if (!isPublic && allowPrivate) return undefined;
  if (IP.test(host)) return "must have a host name, not an IP address";
  if (!isPublic) return "must have a public host name, not a name of a local network";
  if (url.protocol !== "https:") return "must be https";
  return PORTS.has(url.port) ? undefined : "must have the port 443, 2053, 2083, 2087, 2096 or 8443";
};

/** A private network cannot use a suffix of the Public Suffix List for its names. */
const isName = (host: string): boolean => {
  const { isIcann, isPrivate } = parse(host, { allowPrivateDomains: true, extractHostname: false });
  return host.includes(".") && host.split(".").every((label) => label !== "") && (isIcann || isPrivate) === true;
};
