/**
 * PropelAuth: created, changed and deleted users.
 *
 * To use it, copy this file to `src/mappings/propelauth.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import propelAuth from "./mappings/propelauth.ts";
 *     propelauth: { rules: propelAuth, secret: "PROPELAUTH_WEBHOOK_SECRET" },
 */
import { type PropelAuthEvent, propelAuth } from "../src/handlers/propelauth.ts";
import { type Account, contactOf, formerContactOf, isOwn, linksOf } from "../src/rules/people/account.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

const account = (e: PropelAuthEvent): Account => ({
  userId: e.user_id,
  email: e.email,
  verified: e.email_confirmed === true,
});

/** These types and fields are unconfirmed: look at a webhook of each type in the journal. */
export default rules(
  propelAuth,
  [
    {
      name: "user profile",
      on: ["user.created", "user.updated"],
      when: (e) => isOwn(account(e)),
      contact: (e) => contactOf(account(e)),
      update: {
        firstName: (e) => clip(e.first_name) || undefined,
        lastName: (e) => clip(e.last_name) || undefined,
      },
    },
    {
      name: "signed up",
      on: "user.created",
      when: (e) => Boolean(e.email),
      contact: (e) => contactOf(account(e)),
      event: { name: "signedUp", properties: { emailVerified: (e) => account(e).verified } },
    },
    {
      // Keeps the contact, so that its unsubscription is remembered. `remove: "delete"` would delete both.
      name: "account deleted",
      on: "user.deleted",
      contact: (e) => formerContactOf(account(e)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
  ],
  (e) => (e.type === "user.deleted" ? [] : linksOf(account(e), e.type === "user.created")),
);
