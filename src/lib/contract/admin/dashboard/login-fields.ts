import * as z from "zod";

/** Each role includes all roles before it. */
export const role = z.enum(["viewer", "support", "editor", "owner"]);

/** `who`: "owner" (admin token), "local" (`npm start`), a person, or a Cloudflare Access address. */
export const me = z.object({ who: z.string(), role, expires: z.string() });

export const done = z.object({ success: z.literal(true) });

const MOST = 20_000;
const base64url = z
  .string()
  .max(MOST)
  .regex(/^[\w-]+$/, "must be base64url");

/** A new passkey: `credential.toJSON()`. */
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

/** A used passkey: `credential.toJSON()`. */
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

/** Input of `PublicKeyCredential.parseCreationOptionsFromJSON` and `parseRequestOptionsFromJSON`. */
export const askedOf = z.looseObject({ challenge: z.string() });

const bytes = "AAAAAAAAAAAAAAAAAAAAAA";
export const NEW_CREDENTIAL = {
  id: bytes,
  rawId: bytes,
  type: "public-key" as const,
  response: { clientDataJSON: bytes, attestationObject: bytes, transports: ["internal"] },
};
