/**
 * Okta event hooks: users that were created, activated or deleted.
 *
 * To use it, copy this file to `src/mappings/okta.ts`, take `src/` out of its imports, and add it to `src/sources.ts`:
 *
 *     import okta from "./mappings/okta.ts";
 *     okta: { rules: okta, secret: "OKTA_WEBHOOK_SECRET" },
 */
import { type OktaEvent, okta } from "../src/handlers/okta.ts";
import { linksOf } from "../src/rules/people/account.ts";
import { rules } from "../src/rules/types.ts";

/** The user an entry is about; its actor is who did it. */
const user = (e: OktaEvent) => e.target?.find(({ type }) => type === "User");

/**
 * The login, where it is an address: Okta's default, which you may have changed. It may differ from the user's email.
 */
const email = (e: OktaEvent) => (user(e)?.alternateId?.includes("@") ? user(e)?.alternateId : undefined);

/**
 * An entry does not say whether an address is verified, so it goes by the address alone until the user is activated.
 * Who activates users without a mail to them takes the link out.
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
      // The contact stays, so that it is known not to be written to: `remove: "delete"` forgets it, and that as well.
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
