import type { OrganizationInvitationJSON, OrganizationMembershipJSON, UserJSON } from "@clerk/backend";
import { clerk } from "../handlers/clerk.ts";
import { type Account, contactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { joined, rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import billing from "./clerk/billing.ts";

/** Primary address, else the first verified one; undefined for phone-only users. */
const primary = (user: UserJSON) => {
  const { email_addresses: addresses = [], primary_email_address_id: id } = user;
  return id === undefined
    ? addresses.find(({ verification }) => verification?.status === "verified")
    : addresses.find((address) => address.id === id);
};

/** `verification` is null for a never verified address. A missing field counts as verified. */
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
 * Unmapped: `email.created` and `sms.created` (one-time codes), `session.created`, `organization.updated`,
 * `organization.deleted`. Updates do not show the change, so confirmed or changed addresses make no event.
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
      // Only for a verified address: otherwise anyone could make us mail a stranger. Imported users look the same.
      // Before an import, exclude them in `when`, such as `e.data.public_metadata.imported !== true`.
      name: "welcome",
      on: "user.created",
      when: (e) => isOwn(account(e.data)),
      contact: (e) => contactOf(account(e.data)),
      transactional: { template: "welcome", variables: { name: (e) => clip(e.data.first_name) || "there" } },
    },
    {
      // Keeps the contact and its unsubscription.
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
      // Creates a missing contact.
      update: {},
      event: { name: "waitlistJoined" },
    },
    {
      name: "waitlist status",
      on: "waitlistEntry.updated",
      contact: { email: (e) => e.data.email_address },
      update: { waitlistStatus: (e) => e.data.status },
      remember: { id: (e) => e.data.id, state: { waitlistStatus: (e) => e.data.status } },
    },
    {
      // Clerk mails the invitation itself.
      name: "waitlist invited",
      on: "waitlistEntry.updated",
      when: (e) => e.data.status === "invited",
      ifStored: { id: (e) => e.data.id, isNot: { waitlistStatus: "invited" } },
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
    // By user id alone: `public_user_data.identifier` may be an address, phone number or name.
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
      // Clerk mails the invitation. This creates a contact for a person without consent.
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
  // Clerk sends each of these with the other one, which has the rules.
  instead: {
    "subscriptionItem.created": "subscriptionItem.active",
    "subscriptionItem.updated": "subscription.updated",
    "subscriptionItem.upcoming": "subscription.updated",
    "paymentAttempt.created": "paymentAttempt.updated",
  },
};
