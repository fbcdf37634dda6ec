/**
 * Descope: created and deleted users, from the audit webhook connector.
 *
 * To use it, copy this file to `src/mappings/descope.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import descope from "./mappings/descope.ts";
 *     descope: { rules: descope, secret: "DESCOPE_WEBHOOK_SECRET" },
 */
import { type DescopeEvent, descope } from "../src/handlers/descope.ts";
import { type Account, contactOf, formerContactOf, isOwn, linksOf } from "../src/rules/people/account.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

/**
 * The user of an event. The place of the user in an audit event is unconfirmed: look at one in the journal. An address
 * that is not marked as verified is not linked to the user id.
 */
const account = (e: DescopeEvent): Account => ({
  userId: e.data?.user?.userId ?? e.userId,
  email: e.data?.user?.email ?? e.data?.user?.loginIds?.find((id) => id.includes("@")),
  verified: e.data?.user?.verifiedEmail === true,
});

export default rules(
  descope,
  [
    {
      name: "user profile",
      on: ["UserCreated", "UserModified"],
      when: (e) => isOwn(account(e)),
      contact: (e) => contactOf(account(e)),
      update: {
        firstName: (e) => clip(e.data?.user?.givenName) || undefined,
        lastName: (e) => clip(e.data?.user?.familyName) || undefined,
      },
    },
    {
      name: "signed up",
      on: "UserCreated",
      when: (e) => Boolean(account(e).email),
      contact: (e) => contactOf(account(e)),
      event: { name: "signedUp" },
    },
    {
      // Keeps the contact, so that its unsubscription is remembered. `remove: "delete"` would delete both.
      name: "account deleted",
      on: "UserDeleted",
      when: (e) => Boolean(account(e).userId),
      contact: (e) => formerContactOf(account(e)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
  ],
  (e) => (e.type === "UserDeleted" ? [] : linksOf(account(e), e.type === "UserCreated")),
);
