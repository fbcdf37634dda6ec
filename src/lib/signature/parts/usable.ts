/** Prefixes that providers put before a secret, and that senders put before it in a header. */
const PREFIX = /^(v1,)?(whsec_|whpk_|whsk_|polar_whs_|pdl_ntfset_|lin_wh_|sk_|rk_|(Bearer|Basic)\b\s*)?$/i;

/** True for a secret that is only a public prefix, such as `whsec_`: a paste that was cut off. */
export const isBarePrefix = (secret: string): boolean => PREFIX.test(secret.trim());

/** True for a public key. It must never be used as an HMAC key: anyone could sign with it. */
export const isPublicKey = (secret: string): boolean =>
  /^\s*(whpk_|\{[\s\S]*"(kty|keys)")|-----BEGIN ([\w ]+ )?(PUBLIC KEY|CERTIFICATE)-----/.test(secret);

const ADDRESS = [
  /^[a-z][a-z\d+.-]*:\/\//i,
  /^https?:/i,
  /^\/\//,
  /\/\.well-known\//i,
  // URLs without their scheme: a host with a path, a host with a port, a bare host of three labels or more.
  /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?\/\S*$/i,
  /^(localhost|[\w-]+(\.[\w-]+)+):\d+$/i,
  /^[a-z\d-]+(\.[a-z\d-]+)+\.[a-z]{2,24}$/i,
];

/** True for a text that looks like a URL or a part of one. A URL is public and therefore not a key. */
const looksLikeUrl = (secret: string): boolean => ADDRESS.some((form) => form.test(secret.trim()));

/** The secret where it is an https URL of public keys; else undefined. */
export const keysUrl = (secret: string): string | undefined =>
  /^https:\/\/\S+$/i.test(secret) && URL.canParse(secret) ? secret : undefined;

/** True for a secret that may be an HMAC key: it does not look public. */
export const isPrivateText = (secret: string): boolean =>
  !isBarePrefix(secret) && !isPublicKey(secret) && !looksLikeUrl(secret);
