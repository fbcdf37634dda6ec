/**
 * FusionAuth: created users, confirmed addresses, deleted users.
 *
 * To use it, copy this file to `src/mappings/fusionauth.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import fusionAuth from "./mappings/fusionauth.ts";
 *     fusionauth: { rules: fusionAuth, secret: "FUSIONAUTH_WEBHOOK_SECRET" },
 */
import { type FusionAuthEvent, fusionAuth } from "../src/handlers/fusionauth.ts";
import { type Account, contactOf, formerContactOf, isOwn, linksOf } from "../src/rules/people/account.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";

const account = ({ event: { user } }: FusionAuthEvent): Account => ({
  userId: user?.id,
  email: user?.email,
  verified: user?.verified === true,
});

/**
 * `….complete` is sent after the change; `user.create` and `user.delete` are sent while it may still be refused.
 * @see https://fusionauth.io/docs/extend/events-and-webhooks/events/
 */
export default rules(
  fusionAuth,
  [
    {
      name: "signed up",
      on: "user.create.complete",
      when: (e) => Boolean(e.event.user?.email),
      contact: (e) => contactOf(account(e)),
      event: { name: "signedUp", properties: { emailVerified: (e) => account(e).verified } },
    },
    {
      name: "email confirmed",
      on: "user.email.verified",
      when: (e) => isOwn(account(e)),
      contact: (e) => contactOf(account(e)),
      update: {
        firstName: (e) => clip(e.event.user?.firstName) || undefined,
        lastName: (e) => clip(e.event.user?.lastName) || undefined,
      },
      event: { name: "emailConfirmed" },
    },
    {
      // Keeps the contact, so that its unsubscription is remembered. `remove: "delete"` would delete both.
      name: "account deleted",
      on: "user.delete.complete",
      when: (e) => Boolean(e.event.user),
      contact: (e) => formerContactOf(account(e)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
  ],
  (e) => (e.type === "user.delete.complete" ? [] : linksOf(account(e), e.type === "user.create.complete")),
);
