export const MAX_ADDRESS = 254;

/** The limit applies to the ASCII form (RFC 1035 section 2.3.4). */
const MAX_LABEL = 63;

const NEVER = String.raw`\s@<>(),;:\\"[\]\x00-\x1f\x7f-\x9f`;
/** Python's `re` does not know Unicode classes, so the shape avoids them. */
export const shape = new RegExp(String.raw`^[^${NEVER}]{1,64}@[^${NEVER}_/?#%]+\.[^${NEVER}_/?#%.]+$`);

/** Formats, fillers, variation selectors and the empty Braille pattern are invisible. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** These spaces look like the ASCII space, which the shape refuses. */
const SPACES = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/;

/** Returns why no mail can reach this address, or undefined. */
export const faultOf = (address: string): string | undefined => {
  const [invisible] = INVISIBLE.exec(address) ?? [];
  if (invisible !== undefined) {
    const code = (invisible.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    return `must not have an invisible character: it has U+${code}`;
  }
  if (SPACES.test(address)) return "must not have a space, such as the no-break space of web pages";
  const plain = address.normalize("NFKC");
  if (plain !== address.normalize("NFC")) {
    return `must have ordinary characters instead of full-width ones: is it ${plain}?`;
  }
  if (/^\.|\.\.|\.(@|$)|@\./.test(address)) return "must not begin or end a part with a dot, or have two dots in a row";
  if (!shape.test(address)) return 'must be an email address such as "ada@example.com"';
  return domainFault(address.slice(address.lastIndexOf("@") + 1));
};

/** A plain ASCII domain needs no slower parsing as a URL. */
const PLAIN_DOMAIN = /^((?!xn--)[a-z\d]([a-z\d-]{0,61}[a-z\d])?\.)+(?!xn--)[a-z]([a-z\d-]{0,61}[a-z\d])?$/i;

const domainFault = (domain: string): string | undefined => {
  if (PLAIN_DOMAIN.test(domain)) return undefined;
  if (domain.split(".").some((label) => /^-|-$/.test(label))) {
    return "must not have a domain with a hyphen at the beginning or end of a part";
  }
  if (!URL.canParse(`http://${domain}`)) return `must have a valid domain; ${domain} is none`;
  const { hostname } = new URL(`http://${domain}`);
  if (/[^a-z\d.-]/.test(hostname)) return `must have a valid domain; ${domain} is none`;
  if (/^[\d.]+$/.test(hostname)) return `must have a domain, not an IP address; ${domain} is one`;
  const labels = hostname.split(".");
  if (labels.every(({ length }) => length <= MAX_LABEL)) return undefined;
  return `must have at most ${MAX_LABEL} characters in each part of the domain`;
};
