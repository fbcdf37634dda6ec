import { parse } from "tldts";

/** Names that only mean something on one machine or network (RFC 6761, RFC 6762, RFC 8375, RFC 9476), and usual private ones. */
const LOCAL =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|corp|home|lan|arpa|alt|onion|test|invalid)$/;
const IP = /^\d+\.\d+\.\d+\.\d+$|^\[/;
/** 443, and the other ports at which Cloudflare serves https. */
const PORTS = new Set(["", "2053", "2083", "2087", "2096", "8443"]);
const MAX_LENGTH = 2_000;

/**
 * Why no outgoing webhook may be posted to this address; undefined where it may. `URL` turns every form of an IPv4 address
 * (decimal, hex, octal, short, full-width) into four numbers and every name into A-labels, so one rule covers all forms.
 *
 * @param allowPrivate for development: local names and IP addresses too, also by http and at any port
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

/** True for a name below a suffix of the Public Suffix List: no cluster or network can give its own names such an end. */
const isName = (host: string): boolean => {
  const { isIcann, isPrivate } = parse(host, { allowPrivateDomains: true, extractHostname: false });
  return host.includes(".") && host.split(".").every((label) => label !== "") && (isIcann || isPrivate) === true;
};
