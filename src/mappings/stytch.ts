import { type StytchMember, type StytchUser, stytch } from "../handlers/stytch.ts";
import { type Account, contactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { customer } from "../rules/people/customer.ts";
import { firstName, lastName } from "../rules/people/name.ts";
import { rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";

const account = (user: StytchUser): Account => {
  const address = user.emails.find(({ verified }) => verified) ?? user.emails[0];
  return { userId: user.user_id, email: address?.email, verified: address?.verified === true };
};

const nameOf = (member: StytchMember) => (member.email_address_verified ? clip(member.name) : undefined);

/**
 * Stytch sends mail itself. Updates do not show the change. Welcome mail for "signed up":
 *
 * transactional: { template: "welcome", variables: { name: "there" } },
 */
export default rules(
  stytch,
  [
    {
      name: "user profile",
      on: ["direct.user.create", "direct.user.update", "dashboard.user.create", "dashboard.user.update"],
      when: (e) => isOwn(account(e.user)),
      contact: (e) => contactOf(account(e.user)),
      update: {
        firstName: (e) => clip(e.user.name?.first_name) || undefined,
        lastName: (e) => clip(e.user.name?.last_name) || undefined,
      },
    },
    {
      // Stytch creates a user with the first link or code, usually before verification.
      name: "signed up",
      on: ["direct.user.create", "dashboard.user.create"],
      when: (e) => Boolean(account(e.user).email),
      contact: (e) => contactOf(account(e.user)),
      event: { name: "signedUp", properties: { emailVerified: (e) => isOwn(account(e.user)) } },
    },
    {
      // Keeps the contact and its unsubscription.
      name: "account deleted",
      on: ["direct.user.delete", "dashboard.user.delete"],
      contact: { userId: (e) => e.id },
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
    // B2B: member ids differ by organization, so a member id is a ref, linked by a verified address.
    {
      name: "organization joined",
      on: ["direct.member.create", "dashboard.member.create", "scim.member.create"],
      when: (e) => e.member.status !== "invited",
      contact: { email: (e) => e.member.email_address },
      update: {
        firstName: { guess: (e) => firstName(nameOf(e.member)), from: "account" },
        lastName: { guess: (e) => lastName(nameOf(e.member)), from: "account" },
      },
      event: {
        name: "organizationJoined",
        properties: {
          organizationId: (e) => e.member.organization_id,
          emailVerified: (e) => e.member.email_address_verified,
        },
      },
    },
    {
      // This creates a contact for a person without consent.
      name: "invitation created",
      on: ["direct.member.create", "dashboard.member.create", "scim.member.create"],
      when: (e) => e.member.status === "invited",
      contact: { email: (e) => e.member.email_address },
      event: { name: "invitationCreated", properties: { organizationId: (e) => e.member.organization_id } },
    },
    {
      // No `remove`: the person may be a member elsewhere. Without a verified address, the delivery waits and becomes
      // undecided.
      name: "organization left",
      on: ["direct.member.delete", "dashboard.member.delete", "scim.member.delete"],
      contact: (e) => customer(e.id),
      event: { name: "organizationLeft", onlyKnown: true },
    },
  ],
  (e) => {
    if ("user" in e) return linksOf(account(e.user), e.type.endsWith(".create"));
    if ("member" in e && e.member.email_address_verified) {
      return [{ ref: e.member.member_id, email: e.member.email_address }];
    }
    return [];
  },
  ["direct.user.create", "direct.user.update", "dashboard.user.create", "dashboard.user.update"],
);
