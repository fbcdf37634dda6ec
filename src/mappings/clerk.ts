import type { OrganizationInvitationJSON, OrganizationMembershipJSON, UserJSON } from "@clerk/backend";
import { clerk } from "../handlers/clerk.ts";
import { type Account, contactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { joined, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import billing from "./clerk/billing.ts";

/**
 * The primary email address; undefined for a user who signed up with a phone number only. Where the webhook does not say
 * which address is the primary one, the first verified address.
 */
const primary = (user: UserJSON) => {
  const { email_addresses: addresses = [], primary_email_address_id: id } = user;
  return id === undefined
    ? addresses.find(({ verification }) => verification?.status === "verified")
    : addresses.find((address) => address.id === id);
};

/** `verification` is null for an address that was never verified. A payload without the field counts as verified. */
const account = (user: UserJSON): Account => {
  const address = primary(user);
  return {
    userId: user.id,
    email: address?.email_address,
    verified:
      address !== undefined && (address.verification === undefined || address.verification?.status === "verified"),
  };
};

type Membership = { data: OrganizationMembershipJSON };
const organization = {
  organizationId: (e: Membership) => e.data.organization.id,
  organizationName: (e: Membership) => clip(e.data.organization.name),
};
const membership = { ...organization, role: (e: Membership) => clip(e.data.role) };

type Invitation = { data: OrganizationInvitationJSON };
const invitation = {
  organizationId: (e: Invitation) => e.data.organization_id,
  organizationName: (e: Invitation) => clip(e.data.public_organization_data?.name),
};

/**
 * Users, organizations and the waitlist. Clerk Billing is in `clerk/billing.ts`.
 *
 * Not mapped on purpose: `email.created` and `sms.created`, which contain one-time codes; `session.created`, which does
 * not show whether the session is the user's first; `organization.updated` and `organization.deleted`, which name no
 * user. An update does not show what changed, so there is no event for a confirmed or changed address.
 */
const people = rules(
  clerk,
  [
    {
      name: "user profile",
      on: ["user.created", "user.updated"],
      when: (e) => isOwn(account(e.data)),
      contact: (e) => contactOf(account(e.data)),
      update: {
        firstName: (e) => clip(e.data.first_name) || undefined,
        lastName: (e) => clip(e.data.last_name) || undefined,
      },
    },
    {
      name: "signed up",
      on: "user.created",
      when: (e) => primary(e.data) !== undefined,
      contact: (e) => contactOf(account(e.data)),
      event: { name: "signedUp" },
    },
    {
      // Only to an address that is verified when the account is created: otherwise anyone could make us mail a
      // stranger. Imported users, and users created in the dashboard or by API, send the same webhook with a verified
      // address. Before an import, remove this rule, or exclude imported users with a condition of your own in `when`,
      // such as `e.data.public_metadata.imported !== true`.
      name: "welcome",
      on: "user.created",
      when: (e) => isOwn(account(e.data)),
      contact: (e) => contactOf(account(e.data)),
      transactional: { template: "welcome", variables: { name: (e) => clip(e.data.first_name) || "there" } },
    },
    {
      // Keeps the contact, so that its unsubscription is remembered. `remove: "delete"` would delete both.
      name: "account deleted",
      on: "user.deleted",
      contact: { userId: (e) => e.data.id },
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
    {
      name: "waitlist joined",
      on: "waitlistEntry.created",
      contact: { email: (e) => e.data.email_address },
      // An update without properties creates the contact if it does not exist.
      update: {},
      event: { name: "waitlistJoined" },
    },
    {
      name: "waitlist status",
      on: "waitlistEntry.updated",
      contact: { email: (e) => e.data.email_address },
      update: { waitlistStatus: (e) => e.data.status },
    },
    {
      // Clerk mails the invitation itself. Later updates of an invited entry make this event again.
      name: "waitlist invited",
      on: "waitlistEntry.updated",
      when: (e) => e.data.status === "invited",
      contact: { email: (e) => e.data.email_address },
      event: { name: "waitlistInvited" },
    },
    {
      // Organizations created in the dashboard or by API have no creator.
      name: "organization created",
      on: "organization.created",
      when: (e) => Boolean(e.data.created_by),
      contact: { userId: (e) => e.data.created_by },
      event: {
        name: "organizationCreated",
        properties: { organizationId: (e) => e.data.id, organizationName: (e) => clip(e.data.name) },
      },
    },
    // By user id alone: `public_user_data.identifier` may be an email address, a phone number or a name.
    {
      name: "organization joined",
      on: "organizationMembership.created",
      contact: { userId: (e) => e.data.public_user_data.user_id },
      event: { name: "organizationJoined", properties: membership },
    },
    {
      name: "organization membership updated",
      on: "organizationMembership.updated",
      contact: { userId: (e) => e.data.public_user_data.user_id },
      event: { name: "organizationMembershipUpdated", properties: membership },
    },
    {
      name: "organization left",
      on: "organizationMembership.deleted",
      contact: { userId: (e) => e.data.public_user_data.user_id },
      event: { name: "organizationLeft", properties: organization, onlyKnown: true },
    },
    {
      // Clerk mails the invitation itself. This event creates a contact for a person who has not agreed to anything
      // yet.
      name: "invitation created",
      on: "organizationInvitation.created",
      contact: { email: (e) => e.data.email_address },
      event: { name: "invitationCreated", properties: invitation },
    },
    {
      name: "invitation accepted",
      on: "organizationInvitation.accepted",
      contact: { userId: (e) => e.data.user_id },
      event: { name: "invitationAccepted", properties: invitation },
    },
  ],
  (e) =>
    e.type === "user.created" || e.type === "user.updated" ? linksOf(account(e.data), e.type === "user.created") : [],
  ["user.created", "user.updated"],
);

export default {
  ...joined(clerk, [people, billing]),
  // Clerk sends each of these beside or before the other one, which has the rules.
  instead: {
    "subscriptionItem.created": "subscriptionItem.active",
    "subscriptionItem.updated": "subscription.updated",
    "subscriptionItem.upcoming": "subscription.updated",
    "paymentAttempt.created": "paymentAttempt.updated",
  },
};
