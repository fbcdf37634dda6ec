import { parse } from "tldts";

/** Record names must fit in 253 characters. */
const MAX_NAME = 200;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Local names (RFC 6761, RFC 6762, RFC 9476). */
const LOCAL = /(^|\.)(localhost|local|internal|alt|onion)$/;

/**
 * Normalizes a domain to lower case and A-labels (RFC 5890).
 *
 * @example readDomainName("Mail.München.de") // { name: "mail.xn--mnchen-3ya.de" }
 */
export const readDomainName = (text: string): { name: string } | { problem: string } => {
  const given = text.trim().toLowerCase().replace(/\.$/, "");
  if (/[:/@\s]/.test(given))
    return { problem: "must be a name alone, such as mail.example.com, without https:// and without @" };
  const name = /^[\p{ASCII}]*$/u.test(given) ? given : (URL.parse(`http://${given}`)?.hostname ?? "");
  if (/^\d+(\.\d+)*$/.test(name))
    return { problem: "is an IP address: mail is sent from a name, such as mail.example.com" };
  if (LOCAL.test(name)) return { problem: "is a name of a local network, which the world cannot look up" };
  if (name.length > MAX_NAME) return { problem: `must have at most ${MAX_NAME} characters` };
  const labels = name.split(".");
  if (labels.length < 2 || /^\d+$/.test(labels.at(-1) ?? "") || !labels.every((label) => LABEL.test(label)))
    return { problem: "must be the name of a domain, such as mail.example.com" };
  return organizationalDomain(name) === undefined
    ? { problem: "is a public suffix: others register names under it, so that no one sends mail from it" }
    : { name };
};

/** True if the text spells a stored domain. */
export const isNameOf = (stored: string, text: string): boolean => {
  const read = readDomainName(text);
  return "name" in read && read.name === stored;
};

/** Returns the registered domain by the Public Suffix List; undefined for a public suffix. */
export const organizationalDomain = (name: string): string | undefined =>
  parse(name, { allowPrivateDomains: true }).domain ?? undefined;
