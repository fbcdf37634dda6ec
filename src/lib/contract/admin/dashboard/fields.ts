import * as z from "zod";

/** What a person may do. Each role may do all that the one before it may: see; act on people and calls; edit content; everything. */
export const role = z.enum(["viewer", "support", "editor", "owner"]);
export type Role = z.output<typeof role>;

/** `who`: "owner" for the admin token, "local" for the link of `npm start`, else a person, or the address that Cloudflare Access gave. */
export const me = z.object({ who: z.string(), role, expires: z.string() });

export const done = z.object({ success: z.literal(true) });

/** Longest text of WebAuthn in a request, in characters. */
const MOST = 20_000;
/** Bytes as WebAuthn sends them. */
const base64url = z
  .string()
  .max(MOST)
  .regex(/^[\w-]+$/, "must be base64url");

/** What a browser gives for a new passkey: `credential.toJSON()`. */
export const newCredential = z.looseObject({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  response: z.looseObject({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(30)).max(10).optional(),
  }),
});

/** What a browser gives for a passkey that is used: `credential.toJSON()`. */
export const usedCredential = z.looseObject({
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
  response: z.looseObject({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.string().max(200).nullish(),
  }),
});

/** What a browser is asked with: `PublicKeyCredential.parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON` read it. */
export const askedOf = z.looseObject({ challenge: z.string() });

const bytes = "AAAAAAAAAAAAAAAAAAAAAA";
/** A new passkey in the examples of requests. */
export const NEW_CREDENTIAL = {
  id: bytes,
  rawId: bytes,
  type: "public-key" as const,
  response: { clientDataJSON: bytes, attestationObject: bytes, transports: ["internal"] },
};
