/** What providers write before a secret, and senders before one in a header. */
const PREFIX = /^(v1,)?(whsec_|whpk_|whsk_|polar_whs_|pdl_ntfset_|lin_wh_|sk_|rk_|(Bearer|Basic)\b\s*)?$/i;

/** True where a secret is no more than the prefix that everybody knows: half of it was pasted. */
export const isBarePrefix = (secret: string): boolean => PREFIX.test(secret.trim());

/** True where a secret is known to everybody as it stands: the public half of a key pair. */
export const isPublicKey = (secret: string): boolean =>
  /^\s*(whpk_|\{[\s\S]*"(kty|keys)")|-----BEGIN ([\w ]+ )?(PUBLIC KEY|CERTIFICATE)-----/.test(secret);

const ADDRESS = [
  /^[a-z][a-z\d+.-]*:\/\//i,
  /^https?:/i,
  /^\/\//,
  /\/\.well-known\//i,
  // A host with a path or a port, or with at least three labels and nothing after it: what an address without its scheme is.
  /^(localhost|[\w-]+(\.[\w-]+)+)(:\d+)?\/\S*$/i,
  /^(localhost|[\w-]+(\.[\w-]+)+):\d+$/i,
  /^[a-z\d-]+(\.[a-z\d-]+)+\.[a-z]{2,24}$/i,
];

/** True where a text looks like an address of the web, whole or in part. Everybody can know it: it is no key. */
const looksLikeAddress = (secret: string): boolean => ADDRESS.some((form) => form.test(secret.trim()));

/** The https address of public keys that a secret is, or undefined. */
export const keysAddress = (secret: string): string | undefined =>
  /^https:\/\/\S+$/i.test(secret) && URL.canParse(secret) ? secret : undefined;

/** True where a text can be an HMAC key of a source whose secret may also be an address. */
export const isPrivateText = (secret: string): boolean =>
  !isBarePrefix(secret) && !isPublicKey(secret) && !looksLikeAddress(secret);
