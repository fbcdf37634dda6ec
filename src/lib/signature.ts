import { fromBase64, hmac, sameText, toBase64, toBytes, toHex } from "./hmac.ts";

/** How far a signed timestamp may be from the clock, in seconds; what the vendors' own libraries use. */
export const TOLERANCE_S = 300;

type Signed = { headers: Headers; raw: string };
type Key = Uint8Array<ArrayBuffer>;
type Code = "missing_signature" | "invalid_signature" | "stale_timestamp" | "source_not_configured";

/** Why a signature was refused. `message` says what to mend and holds nothing of the secret. */
export type SignatureRefusal = { code: Code; message: string };

const refuse = (code: Code, message: string): SignatureRefusal => ({ code, message });

const notConfigured = (given: number, form: string) =>
  refuse(
    "source_not_configured",
    given === 0 ? "No signing secret is configured." : `No configured signing secret can be used: expected ${form}.`,
  );

const missing = (names: readonly string[]) =>
  refuse(
    "missing_signature",
    names.length === 1 ? `The header ${names[0]} is missing.` : `The headers ${names.join(", ")} are missing.`,
  );

const seconds = (text: string | undefined) =>
  text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : undefined;

/** Tries every key on every signature, without an early end: how long it takes tells nothing about which one fits. */
const anyMatches = async (
  keys: readonly Key[],
  content: string,
  encode: (mac: Uint8Array) => string,
  offered: readonly string[],
) => {
  let matched = false;
  for (const key of keys) {
    const expected = encode(await hmac(key, content));
    // The encoded texts are compared, as the vendors do: a decoder would also take other spellings of the same bytes.
    for (const signature of offered) if (await sameText(expected, signature)) matched = true;
  }
  return matched;
};

const mismatch = () =>
  refuse(
    "invalid_signature",
    "The signature does not match the body. Check that the signing secret is this endpoint's own and that nothing between changes the body.",
  );

const stale = (age: number) =>
  refuse(
    "stale_timestamp",
    `The signature is good, but it was made ${Math.abs(age)} s ${age > 0 ? "ago" : "in the future"}; ${TOLERANCE_S} s are allowed. Check both clocks; a replayed request is refused too.`,
  );

/** The keys of Stripe's signing secrets: all of `whsec_…` as text, not decoded. Blank ones are left out. */
const stripeKeys = (secrets: readonly string[]) => secrets.map((s) => s.trim()).flatMap((s) => (s ? [toBytes(s)] : []));

/**
 * Checks `Stripe-Signature: t=<Unix s>,v1=<hex>[,v1=…][,v0=…]`, an HMAC-SHA256 of `<t>.<body>`. As stripe-node does:
 * only v1 counts, any one of several may match, and only an old timestamp is refused, a future one is not.
 * @param now Unix milliseconds.
 * @see https://docs.stripe.com/webhooks/signature
 */
export const verifyStripe = async (
  request: Signed,
  secrets: readonly string[],
  now: number,
): Promise<SignatureRefusal | undefined> => {
  const keys = stripeKeys(secrets);
  if (keys.length === 0) return notConfigured(secrets.length, "whsec_…");
  const header = request.headers.get("stripe-signature");
  if (!header) return missing(["Stripe-Signature"]);

  let timestamp: string | undefined;
  const offered: string[] = [];
  for (const item of header.split(",")) {
    const [name, value = ""] = item.trim().split("=", 2);
    if (name === "t") timestamp = value;
    if (name === "v1") offered.push(value);
  }
  const at = seconds(timestamp);
  if (at === undefined) return refuse("invalid_signature", "Stripe-Signature has no timestamp t=<Unix seconds>.");
  if (offered.length === 0) return refuse("invalid_signature", "Stripe-Signature has no v1 signature.");
  if (!(await anyMatches(keys, `${timestamp}.${request.raw}`, toHex, offered))) return mismatch();

  const age = Math.floor(now / 1000) - at;
  return age > TOLERANCE_S ? stale(age) : undefined;
};

/** Makes a `Stripe-Signature` header. `timestamp`: Unix seconds. */
export const signStripe = async (secret: string, raw: string, timestamp: number): Promise<string> =>
  `t=${timestamp},v1=${toHex(await hmac(toBytes(secret.trim()), `${timestamp}.${raw}`))}`;

/** The header names of a Standard Webhooks sender: `webhook-id` …, or `svix-id` … from Svix. */
export type HeaderPrefix = "webhook" | "svix";

/**
 * Reads the three headers of Standard Webhooks. Of several accepted prefixes the first that is complete counts, so that
 * the id a handler reads is always the id that was signed; with none complete, the first of which anything is there.
 */
export const standardHeaders = (headers: Headers, prefixes: readonly HeaderPrefix[]) => {
  const found = prefixes.map((prefix) => {
    const names = { id: `${prefix}-id`, timestamp: `${prefix}-timestamp`, signature: `${prefix}-signature` };
    const id = headers.get(names.id) || undefined;
    const timestamp = headers.get(names.timestamp) || undefined;
    const signature = headers.get(names.signature) || undefined;
    const lacking = [id ? [] : names.id, timestamp ? [] : names.timestamp, signature ? [] : names.signature].flat();
    return { id, timestamp, signature, lacking };
  });
  return found.find((f) => f.lacking.length === 0) ?? found.find((f) => f.lacking.length < 3) ?? found[0];
};

/** The key of a Standard Webhooks secret: `whsec_<base64>`, `v1,whsec_<base64>` (Supabase) or the bare base64. */
const standardKey = (secret: string): Key | undefined => {
  const key = fromBase64(secret.trim().replace(/^(v1,)?(whsec_)?/, ""));
  return key?.length ? key : undefined;
};

/**
 * Checks a Standard Webhooks signature: `v1,<base64>` of an HMAC-SHA256 of `<id>.<timestamp>.<body>`; several are joined by
 * a space, by Supabase with ", ". The timestamp may be 300 s off in both directions. v1a (Ed25519) is not supported.
 * @param now Unix milliseconds.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const verifyStandard =
  (prefixes: readonly HeaderPrefix[]) =>
  async (request: Signed, secrets: readonly string[], now: number): Promise<SignatureRefusal | undefined> => {
    const keys = secrets.flatMap((secret) => standardKey(secret) ?? []);
    if (keys.length === 0) return notConfigured(secrets.length, "whsec_<base64>");
    const found = standardHeaders(request.headers, prefixes);
    if (!found || found.lacking.length > 0) return missing(found?.lacking ?? []);

    const at = seconds(found.timestamp);
    if (at === undefined) return refuse("invalid_signature", "The timestamp header is not in Unix seconds.");
    const offered = (found.signature ?? "")
      .split(/[\s]+/)
      .flatMap((entry) => (entry.startsWith("v1,") ? [entry.slice(3).replace(/,$/, "")] : []));
    if (offered.length === 0) return refuse("invalid_signature", "The signature header has no v1 signature.");
    if (!(await anyMatches(keys, `${found.id}.${found.timestamp}.${request.raw}`, toBase64, offered)))
      return mismatch();

    const age = Math.floor(now / 1000) - at;
    return Math.abs(age) > TOLERANCE_S ? stale(age) : undefined;
  };

/**
 * Makes the headers of a Standard Webhooks request. `timestamp`: Unix seconds.
 * @throws where the secret is not base64.
 */
export const signStandard = async (
  prefix: HeaderPrefix,
  secret: string,
  id: string,
  raw: string,
  timestamp: number,
): Promise<Record<string, string>> => {
  const key = standardKey(secret);
  if (!key) throw new Error("The signing secret is not base64; expected whsec_<base64>.");
  const signature = toBase64(await hmac(key, `${id}.${timestamp}.${raw}`));
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(timestamp),
    [`${prefix}-signature`]: `v1,${signature}`,
  };
};
