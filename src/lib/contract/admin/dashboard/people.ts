import * as z from "zod";
import { act, type Contract, read } from "../../operation.ts";
import { askedOf, done, me, NEW_CREDENTIAL, newCredential, role } from "./login-fields.ts";
import { lookOf, mixesAlphabets } from "./lookalikes.ts";

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  /** True if the provider syncs the passkey to other devices. */
  synced: z.boolean(),
});

/** `invitedUntil`: end of the open link. `passkeys`: of others, only for owners. */
const person = z.object({
  id: z.string(),
  name: z.string(),
  role,
  isMe: z.boolean(),
  createdAt: z.string(),
  invitedBy: z.string(),
  invitedUntil: z.string().nullable(),
  lastSeenAt: z.string().nullable(),
  passkeys: z.array(passkey).nullable(),
  recoveryCodes: z.int().nullable(),
});

const line = (most: number) =>
  z
    .string()
    .max(most)
    .normalize("NFKC")
    .trim()
    .min(1, "must have a character")
    .max(most)
    .refine((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text), "must be one line, without control characters");

/** Audit names of logins without a person, also refused ones. */
const TAKEN: ReadonlySet<string> = new Set(["owner", "local", "token", "unknown"].map(lookOf));

const name = line(200)
  .refine((text) => !/\p{Default_Ignorable_Code_Point}/u.test(text), "must have no characters that are not seen")
  .refine(
    (text) => !mixesAlphabets(text),
    "must not mix letters of several alphabets in one word: it could look like another name",
  )
  .refine(
    (text) => !TAKEN.has(lookOf(text)),
    "must not look like owner, local, token or unknown, which stand in the audit",
  );
const personId = z.string().max(100);

const secret = z
  .string()
  .max(200)
  .regex(/^[\w-]+$/, "must be the text after #invite= in the link");

/** The link is `<address of the dashboard>/#invite=<invite>`. No other answer has it. */
const invited = z.object({ id: z.string(), name: z.string(), role, invite: z.string(), expiresAt: z.string() });

const EXAMPLE = "0123456789abcdef0123456789abcdef";

export const people = {
  people: {
    list: read("viewer", {
      path: "/people",
      summary: "List who may log in, by name",
      request: z.strictObject({}),
      response: z.object({ data: z.array(person) }),
      status: 200,
      refusals: [400],
      example: {},
    }),
    /** `name`: with Cloudflare Access, the address from Access. The role then applies to it. */
    invite: act("owner", {
      method: "POST",
      path: "/people",
      summary: "Invite a person: the link is shown once, is good once, and for 24 hours",
      danger: true,
      request: z.strictObject({ name, role }),
      response: invited,
      status: 201,
      refusals: [400, 409],
      example: { name: "ada@example.com", role: "support" },
    }),
    /** A new link invalidates the former one. */
    inviteAgain: act("owner", {
      method: "POST",
      path: "/people/{personId}/invite",
      summary: "Make a new link for a person: with it they add a passkey",
      danger: true,
      request: z.strictObject({ personId }),
      response: invited,
      status: 201,
      refusals: [400, 404],
      example: { personId: "per_0123456789abcdef" },
      body: false,
    }),
    update: act("owner", {
      method: "POST",
      path: "/people/{personId}",
      summary: "Change the role of a person, from the next request on; below owner, the links that the person made end",
      danger: true,
      request: z.strictObject({ personId, role }),
      response: z.object({ id: z.string(), name: z.string(), role }),
      status: 200,
      refusals: [400, 404],
      example: { personId: "per_0123456789abcdef", role: "editor" },
    }),
    remove: act("owner", {
      method: "DELETE",
      path: "/people/{personId}",
      summary:
        "Remove a person, with passkeys and recovery codes; the person's sessions, and the links that the person made, end",
      danger: true,
      request: z.strictObject({ personId }),
      response: done,
      status: 200,
      refusals: [400, 404],
      example: { personId: "per_0123456789abcdef" },
    }),
  },
  invites: {
    open: act("viewer", {
      method: "POST",
      path: "/invite",
      summary: "Show for whom a link is, and what a browser needs to make a passkey",
      danger: false,
      request: z.strictObject({ invite: secret }),
      response: z.object({
        name: z.string(),
        role,
        invitedBy: z.string(),
        expiresAt: z.string(),
        options: askedOf,
      }),
      status: 200,
      refusals: [400],
      example: { invite: EXAMPLE },
    }),
    accept: act("viewer", {
      method: "POST",
      path: "/invite/accept",
      summary: "Accept an invitation with a new passkey, and log in",
      danger: false,
      request: z.strictObject({ invite: secret, passkey: newCredential }),
      response: me,
      status: 201,
      refusals: [400, 409],
      example: { invite: EXAMPLE, passkey: NEW_CREDENTIAL },
    }),
  },
  passkeys: {
    /** `options`: for `PublicKeyCredential.parseCreationOptionsFromJSON`, valid five minutes. */
    options: act("viewer", {
      method: "POST",
      path: "/passkeys/options",
      summary: "Show what a browser needs to make one more passkey of the person who is logged in",
      danger: true,
      request: z.strictObject({}),
      response: z.object({ options: askedOf }),
      status: 200,
      refusals: [400, 409],
      example: {},
      body: false,
    }),
    add: act("viewer", {
      method: "POST",
      path: "/passkeys",
      summary: "Add a passkey to the person who is logged in",
      danger: true,
      request: z.strictObject({ passkey: newCredential, name: line(80).optional() }),
      response: passkey,
      status: 201,
      refusals: [400, 409],
      example: { passkey: NEW_CREDENTIAL, name: "Key in the safe" },
    }),
    /**
     * The person's other sessions end, because the passkey may have opened one. Owners may revoke others' passkeys.
     */
    remove: act("viewer", {
      method: "DELETE",
      path: "/passkeys/{passkeyId}",
      summary: "Revoke a passkey",
      danger: true,
      request: z.strictObject({ passkeyId: z.string().max(2_000) }),
      response: done,
      status: 200,
      refusals: [400, 404],
      example: { passkeyId: "AAAAAAAAAAAAAAAAAAAAAA" },
    }),
  },
  recoveryCodes: {
    /** No other answer has them. */
    create: act("viewer", {
      method: "POST",
      path: "/recovery-codes",
      summary: "Make ten new recovery codes of the person who is logged in; those of before end",
      danger: true,
      request: z.strictObject({}),
      response: z.object({ codes: z.array(z.string()) }),
      status: 201,
      refusals: [400, 409],
      example: {},
      body: false,
    }),
  },
} as const satisfies Contract;
