import { type KindeUser, kinde } from "../handlers/kinde.ts";
import { type Account, contactOf, linksOf } from "../rules/people/account.ts";
import { rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";

/**
 * Whether an address in Kinde's events is the person's own. The events do not say: who signs up by email enters a mailed
 * code first, but an address may also come from an identity provider, from your team or by API, and nobody confirmed it.
 * So by default it is tied to no user id, and no name is written to its contact. If yours are all confirmed, write `true`.
 * @see https://docs.kinde.com/authenticate/authentication-methods/email-authentication/
 */
const ADDRESSES_ARE_VERIFIED: boolean = false;

/**
 * Kinde sends its own mail, so none is sent here. Not mapped: `user.authenticated`, which does not say whether it is the
 * first time, and `organization.*`, which tell of nobody. Where no address is tied to a user id, `user.deleted` is left
 * alone: it names the id only. Where they are confirmed, a welcome is, in "signed up":
 *
 *     transactional: { template: "welcome", variables: { name: (e) => clip(e.data.user.first_name) || "there" } },
 */
export const kindeRules = (verified: boolean) => {
  const account = (user: KindeUser): Account => ({ userId: user.id, email: user.email, verified });
  const all = rules(
    kinde,
    [
      {
        name: "user profile",
        on: ["user.created", "user.updated"],
        // An update may bring a new address, which may be anybody's.
        when: (e) => Boolean(e.data.user.email) && (verified || e.type === "user.created"),
        contact: (e) => contactOf(account(e.data.user)),
        // With nothing to write, an update makes the contact where there is none.
        update: verified
          ? {
              firstName: (e) => clip(e.data.user.first_name) || undefined,
              lastName: (e) => clip(e.data.user.last_name) || undefined,
            }
          : {},
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
  // No contact has a user id then: a deletion would make one that is nobody.
  return verified ? all : { ...all, rules: all.rules.filter(({ name }) => name !== "account deleted") };
};

export default kindeRules(ADDRESSES_ARE_VERIFIED);
