import { type AuthUser, supabaseDatabase, type TableChange } from "../handlers/supabase-database.ts";
import { type Account, contactOf, formerContactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { metadataFirstName, metadataLastName, ownFirstName, ownLastName } from "../rules/people/metadata-name.ts";
import { rules } from "../rules/types.ts";
import { iso } from "../rules/values/iso.ts";
import { becameEmpty, becameSet, changed, turned } from "../rules/values/transition.ts";
import type { Handler } from "../webhook.ts";

/**
 * Tables with database webhooks. Add row types for exact rules; `supabase gen types typescript` generates them. List
 * secret paths in `redact`.
 *
 * type Changes = TableChange<"auth.users", AuthUser> | TableChange<"public.projects", Project>;
 */
type Changes = TableChange<"auth.users", AuthUser>;

/** A deleted row has a hash as its address. */
const account = (user: AuthUser): Account => ({
  userId: user.id,
  email: user.deleted_at ? null : user.email,
  verified: Boolean(user.email_confirmed_at),
});

const hasEmail = (user: AuthUser) => Boolean(account(user).email);
const person = (e: { record: AuthUser }) => contactOf(account(e.record));

const wasBanned = (before: AuthUser, { updated_at }: AuthUser): boolean =>
  Date.parse(before.banned_until ?? "") > Date.parse(updated_at);

/**
 * Each sign-in also updates a row, so `when` selects changes. Supabase Auth sends mail itself. Welcome mail for
 * "email confirmed":
 *
 * transactional: { template: "welcome", variables: { name: (e) => metadataFirstName(e.record.raw_user_meta_data) ??
 * "there" } },
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
      // The row is inserted first, so "signedUp" came before.
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
      // An expired ban leaves its time in the row. A longer ban is no new one.
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
    // Keeps the contact and its unsubscription. An unconfirmed user unsubscribes only a contact without values from
    // other webhooks.
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
  // Rules with the user id alone wait for these. Without a webhook for this table, remove the line.
  ["auth.users.INSERT", "auth.users.UPDATE"],
);
