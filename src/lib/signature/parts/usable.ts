const PREFIX = /^(v1,)?(whsec_|whpk_|whsk_|polar_whs_|pdl_ntfset_|lin_wh_|ws_|sk_|rk_|(Bearer|Basic)\b\s*)?$/i;

/** True for only a public prefix, such as `whsec_`: a truncated paste. */
export const isBarePrefix = (secret: string): boolean => PREFIX.test(secret.trim());

/** A public key must never be an HMAC key: anyone could sign with it. */
export const isPublicKey = (secret: string): boolean =>
  /^\s*(whpk_|\{[\s\S]*"(kty|keys)")|-----BEGIN ([\w ]+ )?(PUBLIC KEY|CERTIFICATE)-----/.test(secret);

const ADDRESS = [
  /^[a-z][a-z\d+.-]*:\/\//i,
  /^https?:/i,
  /^\/\//,
  /\/\.well-known\//i,
  /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?\/\S*$/i,
  /^(localhost|[\w-]+(\.[\w-]+)+):\d+$/i,
  /^[a-z\d-]+(\.[a-z\d-]+)+\.[a-z]{2,24}$/i,
];

/** A URL is public and therefore not a key. */
const looksLikeUrl = (secret: string): boolean => ADDRESS.some((form) => form.test(secret.trim()));

/** Returns an https URL of public keys; else undefined. */
export const keysUrl = (secret: string): string | undefined =>
  /^https:\/\/\S+$/i.test(secret) && URL.canParse(secret) ? secret : undefined;

export const isPrivateText = (secret: string): boolean =>
  !isBarePrefix(secret) && !isPublicKey(secret) && !looksLikeUrl(secret);
