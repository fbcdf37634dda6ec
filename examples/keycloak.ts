/**
 * Keycloak with the events of Phase Two: sign-ups, confirmed addresses, deleted users.
 *
 * To use it, copy this file to `src/mappings/keycloak.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import keycloak from "./mappings/keycloak.ts";
 *     keycloak: { rules: keycloak, secret: "KEYCLOAK_WEBHOOK_SECRET" },
 */
import { type KeycloakEvent, keycloak } from "../src/handlers/keycloak.ts";
import { type Account, contactOf, isOwn, linksOf } from "../src/rules/people/account.ts";
import { rules } from "../src/rules/types.ts";

/** The user of an `access.` event. The address is verified only after a click on the link in a mail. */
const account = (e: KeycloakEvent): Account => ({
  userId: e.authDetails?.userId,
  email: e.details?.email,
  verified: e.type === "access.VERIFY_EMAIL",
});

/** The id in `users/<id>`. `authDetails` of an `admin.` event names the administrator, not the user. */
const deleted = (e: KeycloakEvent) => /^users\/([^/]+)$/.exec(e.resourcePath ?? "")?.[1];

/** @see https://phasetwo.io/docs/audit-logs/ */
export default rules(
  keycloak,
  [
    {
      name: "signed up",
      on: "access.REGISTER",
      when: (e) => Boolean(e.details?.email),
      contact: (e) => contactOf(account(e)),
      event: { name: "signedUp" },
    },
    {
      name: "email confirmed",
      on: "access.VERIFY_EMAIL",
      when: (e) => isOwn(account(e)),
      contact: (e) => contactOf(account(e)),
      event: { name: "emailConfirmed" },
    },
    {
      // Keeps the contact, so that its unsubscription is remembered. `remove: "delete"` would delete both.
      name: "account deleted",
      on: "admin.USER-DELETE",
      when: (e) => deleted(e) !== undefined,
      contact: { userId: deleted },
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
  ],
  (e) => (e.type === "access.VERIFY_EMAIL" ? linksOf(account(e)) : []),
);
