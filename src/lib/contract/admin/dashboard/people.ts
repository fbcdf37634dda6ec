import * as z from "zod";
import { type Contract, operation } from "../../operation.ts";
import { askedOf, done, me, NEW_CREDENTIAL, newCredential, role } from "./fields.ts";
import { lookOf, mixesAlphabets } from "./lookalikes.ts";

const passkey = z.object({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
  /** True where the provider of the passkey keeps a copy, which other devices of the person have too. */
  synced: z.boolean(),
});

/** `invitedUntil`: the end of the link that waits for the person. `passkeys`: of others, only for an owner. */
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

/** One line of text in one way of writing each letter (NFKC). Spaces around it are taken away. */
const line = (most: number) =>
  z
    .string()
    .max(most)
    .normalize("NFKC")
    .trim()
    .min(1, "must have a character")
    .max(most)
    .refine((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text), "must be one line, without control characters");

/** The names under which logins without a person stand in the audit, also refused ones. */
const TAKEN: ReadonlySet<string> = new Set(["owner", "local", "unknown"].map(lookOf));

const name = line(200)
  .refine((text) => !/\p{Default_Ignorable_Code_Point}/u.test(text), "must have no characters that are not seen")
  .refine(
    (text) => !mixesAlphabets(text),
    "must not mix letters of several alphabets in one word: it could look like another name",
  )
  .refine((text) => !TAKEN.has(lookOf(text)), "must not look like owner, local or unknown, which stand in the audit");
const personId = z.string().max(100);

/** The secret of an invitation, as its link has it. */
const secret = z
  .string()
  .max(200)
  .regex(/^[\w-]+$/, "must be the text after #invite= in the link");

/** A link is `<address of the dashboard>/#invite=<invite>`. This is the only answer that has it. */
const invited = z.object({ id: z.string(), name: z.string(), role, invite: z.string(), expiresAt: z.string() });

const EXAMPLE = "0123456789abcdef0123456789abcdef";

/** People who log in with passkeys, and their roles. */
export const people = {
  people: {
    list: operation({
      method: "GET",
      path: "/people",
      summary: "List who may log in, by name",
      request: z.strictObject({}),
      response: z.object({ data: z.array(person) }),
      status: 200,
      refusals: [400],
      example: {},
    }),
    /** `name`: with Cloudflare Access it is the address that Access gives: the role counts for a login with Access too. */
    invite: operation({
      method: "POST",
      path: "/people",
      summary: "Invite a person: the link is shown once, is good once, and for 24 hours",
      request: z.strictObject({ name, role }),
      response: invited,
      status: 201,
      refusals: [400, 409],
      example: { name: "ada@example.com", role: "support" },
    }),
    /** For a person who lost all passkeys, or whose link is over. A link of before ends. */
    inviteAgain: operation({
      method: "POST",
      path: "/people/{personId}/invite",
      summary: "Make a new link for a person: with it they add a passkey",
      request: z.strictObject({ personId }),
      response: invited,
      status: 201,
      refusals: [400, 404],
      example: { personId: "per_0123456789abcdef" },
      body: false,
    }),
    update: operation({
      method: "POST",
      path: "/people/{personId}",
      summary: "Change the role of a person, from the next request on; below owner, the links that the person made end",
      request: z.strictObject({ personId, role }),
      response: z.object({ id: z.string(), name: z.string(), role }),
      status: 200,
      refusals: [400, 404],
      example: { personId: "per_0123456789abcdef", role: "editor" },
    }),
    remove: operation({
      method: "DELETE",
      path: "/people/{personId}",
      summary:
        "Remove a person, with passkeys and recovery codes; the person's sessions, and the links that the person made, end",
      request: z.strictObject({ personId }),
      response: done,
      status: 200,
      refusals: [400, 404],
      example: { personId: "per_0123456789abcdef" },
    }),
  },
  invites: {
    /** `options`: for `PublicKeyCredential.parseCreationOptionsFromJSON`. */
    open: operation({
      method: "POST",
      path: "/invite",
      summary: "Show for whom a link is, and what a browser needs to make a passkey",
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
    accept: operation({
      method: "POST",
      path: "/invite/accept",
      summary: "Accept an invitation with a new passkey, and log in",
      request: z.strictObject({ invite: secret, passkey: newCredential }),
      response: me,
      status: 201,
      refusals: [400, 409],
      example: { invite: EXAMPLE, passkey: NEW_CREDENTIAL },
    }),
  },
  passkeys: {
    /** `options`: for `PublicKeyCredential.parseCreationOptionsFromJSON`, within five minutes. */
    options: operation({
      method: "POST",
      path: "/passkeys/options",
      summary: "Show what a browser needs to make one more passkey of the person who is logged in",
      request: z.strictObject({}),
      response: z.object({ options: askedOf }),
      status: 200,
      refusals: [400, 409],
      example: {},
      body: false,
    }),
    add: operation({
      method: "POST",
      path: "/passkeys",
      summary: "Add a passkey to the person who is logged in",
      request: z.strictObject({ passkey: newCredential, name: line(80).optional() }),
      response: passkey,
      status: 201,
      refusals: [400, 409],
      example: { passkey: NEW_CREDENTIAL, name: "Key in the safe" },
    }),
    /** The other sessions of its person end: one of them may have been opened with it. An owner may revoke those of others. */
    remove: operation({
      method: "DELETE",
      path: "/passkeys/{passkeyId}",
      summary: "Revoke a passkey",
      request: z.strictObject({ passkeyId: z.string().max(2_000) }),
      response: done,
      status: 200,
      refusals: [400, 404],
      example: { passkeyId: "AAAAAAAAAAAAAAAAAAAAAA" },
    }),
  },
  recoveryCodes: {
    /** This is the only answer that has them. */
    create: operation({
      method: "POST",
      path: "/recovery-codes",
      summary: "Make ten new recovery codes of the person who is logged in; those of before end",
      request: z.strictObject({}),
      response: z.object({ codes: z.array(z.string()) }),
      status: 201,
      refusals: [400, 409],
      example: {},
      body: false,
    }),
  },
} as const satisfies Contract;
