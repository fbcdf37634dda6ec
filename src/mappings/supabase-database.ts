import { type AuthUser, supabaseDatabase, type TableChange } from "../handlers/supabase-database.ts";
import { type Account, contactOf, formerContactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { metadataFirstName, metadataLastName, ownFirstName, ownLastName } from "../rules/people/metadata-name.ts";
import { rules } from "../rules/types.ts";
import { iso } from "../rules/values/iso.ts";
import { becameEmpty, becameSet, changed, turned } from "../rules/values/transition.ts";
import type { Handler } from "../webhook.ts";

/**
 * The tables with database webhooks. Add yours with the type of its row, so that rules get exact types:
 *
 *     type Project = { id: string; owner_id: string; name: string; published_at: string | null };
 *     type Changes = TableChange<"auth.users", AuthUser> | TableChange<"public.projects", Project>;
 *
 * and a rule such as:
 *
 *     {
 *       name: "project published",
 *       on: "public.projects.UPDATE",
 *       when: (e) => becameSet(e.old_record, e.record, "published_at"),
 *       contact: { userId: (e) => e.record.owner_id },
 *       event: { name: "projectPublished", properties: { name: (e) => clip(e.record.name) } },
 *     },
 *
 * `supabase gen types typescript` generates the row types: `Tables<"projects">`. If rows contain secrets, list their
 * paths in `redact` of the source.
 */
type Changes = TableChange<"auth.users", AuthUser>;

/**
 * An address is verified when it is confirmed and the account is not deleted: a deleted row has a hash as its address.
 */
const account = (user: AuthUser): Account => ({
  userId: user.id,
  email: user.deleted_at ? null : user.email,
  verified: Boolean(user.email_confirmed_at),
});

const hasEmail = (user: AuthUser) => Boolean(account(user).email);
const person = (e: { record: AuthUser }) => contactOf(account(e.record));

/** True where a ban was in force when the row changed. */
const wasBanned = (before: AuthUser, { updated_at }: AuthUser): boolean =>
  Date.parse(before.banned_until ?? "") > Date.parse(updated_at);

/**
 * Rules for the users of Supabase Auth. Every update of a row sends a webhook, each sign-in too: `when` selects the
 * change. Supabase Auth sends its own mail, so these rules send none. To send a welcome mail, add to "email confirmed":
 *
 *     transactional: {
 *       template: "welcome",
 *       variables: { name: (e) => metadataFirstName(e.record.raw_user_meta_data) ?? "there" },
 *     },
 */
export default rules(
  supabaseDatabase as Handler<Changes>,
  [
    {
      name: "user profile",
      on: ["auth.users.INSERT", "auth.users.UPDATE"],
      when: ({ record, old_record: old }) =>
        isOwn(account(record)) &&
        (old === null ||
          (["email", "email_confirmed_at", "raw_user_meta_data"] as const).some((column) =>
            changed(old, record, column),
          )),
      contact: person,
      update: {
        firstName: {
          given: (e) => ownFirstName(e.record.raw_user_meta_data),
          guess: (e) => metadataFirstName(e.record.raw_user_meta_data),
          from: "account",
        },
        lastName: {
          given: (e) => ownLastName(e.record.raw_user_meta_data),
          guess: (e) => metadataLastName(e.record.raw_user_meta_data),
          from: "account",
        },
      },
    },
    {
      name: "signed up",
      on: "auth.users.INSERT",
      when: (e) => hasEmail(e.record),
      contact: person,
      event: { name: "signedUp", properties: { emailVerified: (e) => isOwn(account(e.record)) } },
    },
    {
      name: "anonymous user signed up",
      on: "auth.users.UPDATE",
      when: (e) => turned(e.old_record, e.record, "is_anonymous", false) && hasEmail(e.record),
      contact: person,
      event: { name: "signedUp", properties: { emailVerified: (e) => isOwn(account(e.record)) } },
    },
    {
      // Supabase Auth inserts the row first, so an invited person has made the event "signedUp" before.
      // https://github.com/supabase/auth/blob/master/internal/api/invite.go
      name: "invited",
      on: "auth.users.UPDATE",
      when: (e) => becameSet(e.old_record, e.record, "invited_at") && hasEmail(e.record),
      contact: person,
      event: { name: "invitationCreated" },
    },
    {
      name: "email confirmed",
      on: "auth.users.UPDATE",
      when: (e) => becameSet(e.old_record, e.record, "email_confirmed_at") && isOwn(account(e.record)),
      contact: person,
      event: { name: "emailConfirmed" },
    },
    {
      name: "first sign-in",
      on: "auth.users.UPDATE",
      when: (e) => becameSet(e.old_record, e.record, "last_sign_in_at") && hasEmail(e.record),
      contact: person,
      event: { name: "firstSignIn" },
    },
    {
      // The contact with this user id gets the new address. An unconfirmed address is not used.
      name: "email changed",
      on: "auth.users.UPDATE",
      when: (e) => hasEmail(e.old_record) && changed(e.old_record, e.record, "email") && isOwn(account(e.record)),
      contact: person,
      event: { name: "emailChanged" },
    },
    {
      name: "phone confirmed",
      on: "auth.users.UPDATE",
      when: (e) => becameSet(e.old_record, e.record, "phone_confirmed_at") && hasEmail(e.record),
      contact: person,
      event: { name: "phoneConfirmed" },
    },
    {
      // An expired ban leaves its time in the row; the next ban changes it. A longer ban is no new one.
      name: "banned",
      on: "auth.users.UPDATE",
      when: (e) =>
        changed(e.old_record, e.record, "banned_until") &&
        Boolean(e.record.banned_until) &&
        !wasBanned(e.old_record, e.record) &&
        hasEmail(e.record),
      contact: person,
      event: { name: "accountSuspended", properties: { until: (e) => iso(e.record.banned_until) } },
    },
    {
      name: "ban lifted",
      on: "auth.users.UPDATE",
      when: (e) => becameEmpty(e.old_record, e.record, "banned_until") && hasEmail(e.record),
      contact: person,
      event: { name: "accountReinstated" },
    },
    // Keeps the contact, so that its unsubscription is remembered. `remove: "delete"` would delete both. A user who never
    // confirmed the address unsubscribes only a contact for which no other webhook has written values.
    {
      name: "account deleted",
      on: "auth.users.DELETE",
      when: (e) => hasEmail(e.old_record),
      contact: (e) => formerContactOf(account(e.old_record)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
    {
      // `deleteUser(id, true)` keeps the row and replaces its values with hashes.
      name: "account soft-deleted",
      on: "auth.users.UPDATE",
      when: (e) => becameSet(e.old_record, e.record, "deleted_at") && hasEmail(e.old_record),
      contact: (e) => formerContactOf(account(e.old_record)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
  ],
  (e) => {
    switch (e.type) {
      case "auth.users.INSERT":
      case "auth.users.UPDATE":
        return linksOf(account(e.record), e.type === "auth.users.INSERT");
      default:
        return [];
    }
  },
  // A rule of yours that has the user id alone waits for these. If this table has no webhook, remove the line.
  ["auth.users.INSERT", "auth.users.UPDATE"],
);
