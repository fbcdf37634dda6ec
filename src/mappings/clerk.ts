import type { OrganizationInvitationJSON, OrganizationMembershipJSON, UserJSON } from "@clerk/backend";
import { clerk } from "../handlers/clerk.ts";
import { type Account, contactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";

/** The address Clerk itself writes to; undefined for a person who signed up by phone alone. */
const primary = (user: UserJSON) =>
  user.email_addresses.find((address) => address.id === user.primary_email_address_id);

/** `verification` is null for an address that nobody ever verified; a payload without the field tells nothing against it. */
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
 * Not mapped, on purpose: `email.created` and `sms.created`, which hold one-time codes, and `session.created`, which does
 * not say whether it is the first. An update does not say what it changed, so that no event tells of a confirmed or a
 * changed address. `organization.updated` and `organization.deleted` are about nobody in particular.
 */
export default rules(
  clerk,
  [
    {
      name: "user profile",
      on: ["user.created", "user.updated"],
      when: (e) => isOwn(account(e.data)),
      contact: (e) => contactOf(account(e.data)),
      update: { firstName: (e) => clip(e.data.first_name), lastName: (e) => clip(e.data.last_name) },
    },
    {
      name: "signed up",
      on: "user.created",
      when: (e) => primary(e.data) !== undefined,
      contact: (e) => contactOf(account(e.data)),
      event: { name: "signedUp" },
    },
    {
      // Only to an address that is verified as the account is made: else anyone could have it sent to somebody else.
      // An import, and users made in the dashboard or by API, are told of just the same, and their addresses count as
      // verified: before you import people, take this rule out, or leave them out by a mark of yours in `when`:
      // `e.data.public_metadata.imported !== true`.
      name: "welcome",
      on: "user.created",
      when: (e) => isOwn(account(e.data)),
      contact: (e) => contactOf(account(e.data)),
      transactional: { template: "welcome", variables: { name: (e) => clip(e.data.first_name) || "there" } },
    },
    {
      // The contact stays: deleting it would forget that the person must not be written to. `remove: "delete"` forgets both.
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
      // Nothing to write: an update without properties makes the contact where there is none.
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
      // Clerk mails the invitation itself. Each further update of an invited entry tells of it again.
      name: "waitlist invited",
      on: "waitlistEntry.updated",
      when: (e) => e.data.status === "invited",
      contact: { email: (e) => e.data.email_address },
      event: { name: "waitlistInvited" },
    },
    {
      // Organizations made in the dashboard or by API are nobody's.
      name: "organization created",
      on: "organization.created",
      when: (e) => Boolean(e.data.created_by),
      contact: { userId: (e) => e.data.created_by },
      event: {
        name: "organizationCreated",
        properties: { organizationId: (e) => e.data.id, organizationName: (e) => clip(e.data.name) },
      },
    },
    // By user id alone: `public_user_data.identifier` may be a phone number or a name as well as an address.
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
      event: { name: "organizationLeft", properties: organization },
    },
    {
      // Clerk mails the invitation itself. The event makes a contact of the invited, who has not agreed to anything yet.
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
  (e) => (e.type === "user.created" || e.type === "user.updated" ? linksOf(account(e.data)) : []),
);
