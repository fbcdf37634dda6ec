/**
 * Okta event hooks: created, activated and deleted users.
 *
 * To use it, copy this file to `src/mappings/okta.ts`, remove `src/` from its imports, and add it to `src/sources.ts`:
 *
 *     import okta from "./mappings/okta.ts";
 *     okta: { rules: okta, secret: "OKTA_WEBHOOK_SECRET" },
 */
import { type OktaEvent, okta } from "../src/handlers/okta.ts";
import { linksOf } from "../src/rules/people/account.ts";
import { rules } from "../src/rules/types.ts";

/** The user of an entry. Its actor is the person who made the change. */
const user = (e: OktaEvent) => e.target?.find(({ type }) => type === "User");

/**
 * The login, if it is an email address (Okta's default, which you may have changed). It may differ from the user's
 * email.
 */
const email = (e: OktaEvent) => (user(e)?.alternateId?.includes("@") ? user(e)?.alternateId : undefined);

/**
 * An entry does not show whether an address is verified, so the rules use the address alone until the user is
 * activated. If you activate users without a mail to them, remove the link.
 * @see https://developer.okta.com/docs/reference/api/event-types/
 */
export default rules(
  okta,
  [
    {
      name: "user created",
      on: "user.lifecycle.create",
      when: (e) => email(e) !== undefined,
      contact: { email },
      event: { name: "userCreated" },
    },
    {
      name: "signed up",
      on: "user.lifecycle.activate",
      when: (e) => email(e) !== undefined,
      contact: { userId: (e) => user(e)?.id, email },
      event: { name: "signedUp" },
    },
    {
      // Keeps the contact, so that its unsubscription is remembered. `remove: "delete"` would delete both.
      name: "account deleted",
      on: "user.lifecycle.delete.initiated",
      when: (e) => Boolean(user(e)),
      contact: { userId: (e) => user(e)?.id },
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
  ],
  (e) =>
    e.type === "user.lifecycle.activate" ? linksOf({ userId: user(e)?.id, email: email(e), verified: true }) : [],
);
