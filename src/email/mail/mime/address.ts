/** RFC 5321 section 4.5.3.1, in octets. */
const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;

/** RFC 5322 section 3.2.3 atoms, with non-ASCII letters (RFC 6532 section 3.2). */
const ATOM = "[\\w!#$%&'*+/=?^`{|}~\\u00a1-\\u{10ffff}-]+";
const dotAtom = new RegExp(`^${ATOM}(\\.${ATOM})*$`, "u");
const asciiDomain = /^[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;
const unicodeDomain = /^[A-Za-z0-9.\-\u00a1-\u{10ffff}]+$/u;
const invisible = /[\p{Cc}\p{Cs}\p{Z}]/u;
const beyondAscii = /[^\p{ASCII}]/u;

const encoder = new TextEncoder();
const octetsOf = (text: string): number => encoder.encode(text).length;

const asciiDomainOf = (domain: string): string | undefined => {
  if (asciiDomain.test(domain)) return domain;
  if (!unicodeDomain.test(domain) || !URL.canParse(`http://${domain}`)) return undefined;
  const { hostname } = new URL(`http://${domain}`);
  return asciiDomain.test(hostname) ? hostname : undefined;
};

/**
 * Converts a domain to A-labels (RFC 5890). Returns undefined for invalid or quoted addresses.
 *
 * @example wireAddress("Ada@münchen.de") // "Ada@xn--mnchen-3ya.de"
 */
export const wireAddress = (address: string): string | undefined => {
  const at = address.lastIndexOf("@");
  const local = address.slice(0, Math.max(0, at));
  if (invisible.test(address) || !dotAtom.test(local) || octetsOf(local) > MAX_LOCAL) return undefined;
  const domain = asciiDomainOf(address.slice(at + 1));
  return domain === undefined || domain.length > MAX_DOMAIN ? undefined : `${local}@${domain}`;
};

/** True if the non-ASCII local part needs SMTPUTF8 (RFC 6531). */
export const needsUtf8 = (address: string): boolean => beyondAscii.test(address.slice(0, address.lastIndexOf("@")));
