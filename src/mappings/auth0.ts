import { type Auth0User, auth0 } from "../handlers/auth0.ts";
import { type Account, contactOf, formerContactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import { changed, turned } from "../rules/values/transition.ts";

const account = (user: Auth0User): Account => ({
  userId: user.user_id,
  email: user.email,
  verified: user.email_verified === true,
});

type Membership = { data: { object: { organization: { id: string; name?: string } } } };
const organization = {
  organizationId: (e: Membership) => e.data.object.organization.id,
  organizationName: (e: Membership) => clip(e.data.object.organization.name),
};

/** Other fields, for example of a sign-in, cause no delivery. */
const PROFILE = ["email", "email_verified", "given_name", "family_name"] as const;

/**
 * Changes need the former user (`previous_object`) from Auth0. Auth0 sends mail itself. Welcome mail for "email
 * confirmed":
 *
 * transactional: { template: "welcome", variables: { name: (e) => clip(e.data.object.given_name) ?? "there" } },
 */
export default rules(
  auth0,
  [
    {
      // `name` is not used: for many users it is their email address.
      name: "user profile",
      on: ["user.created", "user.updated"],
      when: ({ data }) => {
        const old = "previous_object" in data ? data.previous_object : undefined;
        return isOwn(account(data.object)) && (!old || PROFILE.some((key) => old[key] !== data.object[key]));
      },
      contact: (e) => contactOf(account(e.data.object)),
      update: {
        firstName: (e) => clip(e.data.object.given_name) || undefined,
        lastName: (e) => clip(e.data.object.family_name) || undefined,
      },
    },
    {
      name: "signed up",
      on: "user.created",
      when: (e) => Boolean(e.data.object.email),
      contact: (e) => contactOf(account(e.data.object)),
      event: { name: "signedUp", properties: { emailVerified: (e) => isOwn(account(e.data.object)) } },
    },
    {
      name: "email confirmed",
      on: "user.updated",
      when: ({ data }) =>
        turned(data.previous_object, data.object, "email_verified", true) && isOwn(account(data.object)),
      contact: (e) => contactOf(account(e.data.object)),
      event: { name: "emailConfirmed" },
    },
    {
      name: "email changed",
      on: "user.updated",
      when: ({ data }) => changed(data.previous_object, data.object, "email") && isOwn(account(data.object)),
      contact: (e) => contactOf(account(e.data.object)),
      event: { name: "emailChanged" },
    },
    {
      name: "blocked",
      on: "user.updated",
      when: ({ data }) =>
        Boolean(data.previous_object && !data.previous_object.blocked && data.object.blocked && data.object.email),
      contact: (e) => contactOf(account(e.data.object)),
      event: { name: "accountSuspended" },
    },
    {
      name: "unblocked",
      on: "user.updated",
      when: ({ data }) => Boolean(data.previous_object?.blocked && !data.object.blocked && data.object.email),
      contact: (e) => contactOf(account(e.data.object)),
      event: { name: "accountReinstated" },
    },
    {
      name: "organization joined",
      on: "organization.member.added",
      contact: { userId: (e) => e.data.object.user.user_id },
      event: { name: "organizationJoined", properties: organization },
    },
    {
      name: "organization role changed",
      on: ["organization.member.role.assigned", "organization.member.role.deleted"],
      contact: { userId: (e) => e.data.object.user.user_id },
      event: {
        name: "organizationMembershipUpdated",
        properties: {
          ...organization,
          role: (e) => clip(e.data.object.role.name),
          assigned: (e) => e.type === "organization.member.role.assigned",
        },
      },
    },
    {
      name: "organization left",
      on: "organization.member.deleted",
      contact: { userId: (e) => e.data.object.user.user_id },
      event: { name: "organizationLeft", properties: organization, onlyKnown: true },
    },
    {
      // Keeps the contact and its unsubscription.
      name: "account deleted",
      on: "user.deleted",
      contact: (e) => formerContactOf(account(e.data.object)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
  ],
  (e) => ("user" in e.data.object ? [] : linksOf(account(e.data.object), e.type === "user.created")),
  ["user.created", "user.updated"],
);
