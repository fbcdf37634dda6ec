import { type KindeUser, kinde } from "../handlers/kinde.ts";
import { type Account, contactOf, linksOf } from "../rules/account.ts";
import { clip } from "../rules/clip.ts";
import { rules } from "../rules/types.ts";

/**
 * Kinde's events do not say whether an address is verified. Who signs up by email enters a mailed code first; an address
 * that the team enters, or an identity provider gives, is taken for the person's own. If yours may give unverified ones,
 * say `verified: false` here, which keeps the address from being tied to the user id.
 * @see https://docs.kinde.com/authenticate/authentication-methods/email-authentication/
 */
const account = (user: KindeUser): Account => ({ userId: user.id, email: user.email, verified: true });

/**
 * Kinde sends its own mail, so none is sent here. Not mapped: `user.authenticated`, which does not say whether it is the
 * first time, and `organization.*`, which tell of nobody. To send a welcome, add to "signed up":
 *
 *     transactional: { template: "welcome", variables: { name: (e) => clip(e.data.user.first_name) || "there" } },
 */
export default rules(
  kinde,
  [
    {
      name: "user profile",
      on: ["user.created", "user.updated"],
      when: (e) => Boolean(e.data.user.email),
      contact: (e) => contactOf(account(e.data.user)),
      update: {
        firstName: (e) => clip(e.data.user.first_name) || undefined,
        lastName: (e) => clip(e.data.user.last_name) || undefined,
      },
    },
    {
      name: "signed up",
      on: "user.created",
      when: (e) => Boolean(e.data.user.email),
      contact: (e) => contactOf(account(e.data.user)),
      event: { name: "signedUp" },
    },
    {
      // The contact stays, so that it is known not to be written to: `remove: "delete"` forgets it, and that as well.
      name: "account deleted",
      on: "user.deleted",
      contact: { userId: (e) => e.data.user.id },
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
    // Anyone can enter any address in these: they go by it alone, and write no name.
    {
      name: "subscriber created",
      on: "subscriber.created",
      contact: { email: (e) => e.data.subscriber.email },
      event: { name: "subscriberCreated" },
    },
    {
      name: "access requested",
      on: "access_request.created",
      contact: { email: (e) => e.data.access_request.email },
      event: { name: "accessRequested" },
    },
  ],
  (e) => (e.type === "user.created" || e.type === "user.updated" ? linksOf(account(e.data.user)) : []),
);
