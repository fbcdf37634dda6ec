import { type DirectoryUser, type WorkosUser, workos } from "../handlers/workos.ts";
import { type Account, contactOf, formerContactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { rules } from "../rules/types.ts";
import { became, before } from "../rules/values/changed.ts";
import { clip } from "../rules/values/clip.ts";
import { changed } from "../rules/values/transition.ts";

const account = (user: WorkosUser): Account => ({ userId: user.id, email: user.email, verified: user.email_verified });

const directoryEmail = ({ email, emails }: DirectoryUser): string | undefined =>
  email ?? (emails?.find(({ primary }) => primary) ?? emails?.[0])?.value;

type Update<T> = { data: T & Former; context?: Former };
type Former = { previous_attributes?: Readonly<Record<string, unknown>> };

/** Without former values, rules for a change cause no delivery. */
const change = <T extends object>({ data, context }: Update<T>) => ({
  object: data as T,
  previous_attributes: (context?.previous_attributes ?? data.previous_attributes) as Partial<T> | undefined,
});

/** A pending membership becomes active when the invitation is accepted. */
const acceptedInvitation = (e: Update<{ status: string }>): boolean =>
  e.data.status === "active" && became(change(e), ({ status }) => status !== "pending");

type Membership = { data: { organization_id: string; organization_name?: string; role?: { slug: string } } };
const organization = {
  organizationId: (e: Membership) => e.data.organization_id,
  organizationName: (e: Membership) => clip(e.data.organization_name),
};
const membership = { ...organization, role: (e: Membership) => clip(e.data.role?.slug) };

/**
 * WorkOS sends mail itself. Welcome mail for "email confirmed":
 *
 * transactional: { template: "welcome", variables: { name: "there" } },
 */
export default rules(
  workos,
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
      contact: (e) => contactOf(account(e.data)),
      event: { name: "signedUp", properties: { emailVerified: (e) => isOwn(account(e.data)) } },
    },
    {
      // Sent after the person enters the mailed code, so the address is verified.
      name: "email confirmed",
      on: "authentication.email_verification_succeeded",
      when: (e) => Boolean(e.data.user_id && e.data.email),
      contact: { userId: (e) => e.data.user_id, email: (e) => e.data.email },
      event: { name: "emailConfirmed" },
    },
    {
      name: "email changed",
      on: "user.updated",
      when: (e) => changed(before(change(e)), e.data, "email") && isOwn(account(e.data)),
      contact: (e) => contactOf(account(e.data)),
      event: { name: "emailChanged" },
    },
    {
      // Keeps the contact and its unsubscription.
      name: "account deleted",
      on: "user.deleted",
      contact: (e) => formerContactOf(account(e.data)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
    // Anyone can request these mails, so rules use the address alone and link nothing.
    {
      name: "confirmation requested",
      on: "email_verification.created",
      contact: { email: (e) => e.data.email },
      event: { name: "confirmationRequested" },
    },
    {
      name: "magic link requested",
      on: "magic_auth.created",
      contact: { email: (e) => e.data.email },
      event: { name: "magicLinkRequested" },
    },
    {
      name: "password reset requested",
      on: "password_reset.created",
      contact: { email: (e) => e.data.email },
      event: { name: "passwordResetRequested" },
    },
    {
      name: "password reset",
      on: "password_reset.succeeded",
      contact: { email: (e) => e.data.email },
      event: { name: "passwordReset" },
    },
    {
      // This creates a contact for a person without consent.
      name: "invitation created",
      on: "invitation.created",
      contact: { email: (e) => e.data.email },
      event: { name: "invitationCreated", properties: { organizationId: (e) => e.data.organization_id } },
    },
    {
      name: "invitation accepted",
      on: "invitation.accepted",
      contact: (e) => (e.data.accepted_user_id ? { userId: e.data.accepted_user_id } : { email: e.data.email }),
      event: { name: "invitationAccepted", properties: { organizationId: (e) => e.data.organization_id } },
    },
    // Anyone can enter any address: use the address alone and write no name.
    {
      name: "waitlist joined",
      on: "waitlist_user.created",
      contact: { email: (e) => e.data.email },
      event: { name: "waitlistJoined" },
    },
    {
      name: "waitlist approved",
      on: "waitlist_user.approved",
      contact: { email: (e) => e.data.email },
      event: { name: "waitlistInvited" },
    },
    {
      name: "organization joined",
      on: "organization_membership.created",
      when: (e) => e.data.status === "active",
      contact: { userId: (e) => e.data.user_id },
      event: { name: "organizationJoined", properties: membership },
    },
    {
      name: "organization joined by invitation",
      on: "organization_membership.updated",
      when: acceptedInvitation,
      contact: { userId: (e) => e.data.user_id },
      event: { name: "organizationJoined", properties: membership },
    },
    {
      name: "organization membership updated",
      on: "organization_membership.updated",
      when: (e) => !acceptedInvitation(e),
      contact: { userId: (e) => e.data.user_id },
      event: {
        name: "organizationMembershipUpdated",
        properties: { ...membership, status: (e) => e.data.status },
      },
    },
    {
      name: "organization left",
      on: "organization_membership.deleted",
      contact: { userId: (e) => e.data.user_id },
      event: { name: "organizationLeft", properties: organization, onlyKnown: true },
    },
    // A directory's administrator can enter any address, so rules write no name and link nothing. The first
    // synchronization creates a contact for every person; remove these three rules to prevent this.
    {
      name: "directory user created",
      on: "dsync.user.created",
      when: (e) => Boolean(directoryEmail(e.data)),
      contact: { email: (e) => directoryEmail(e.data) },
      event: { name: "directoryUserCreated", properties: { organizationId: (e) => e.data.organization_id } },
    },
    {
      name: "directory user updated",
      on: "dsync.user.updated",
      when: (e) => Boolean(directoryEmail(e.data)),
      contact: { email: (e) => directoryEmail(e.data) },
      event: {
        name: "directoryUserUpdated",
        properties: { organizationId: (e) => e.data.organization_id, state: (e) => clip(e.data.state) },
      },
    },
    {
      name: "directory user deleted",
      on: "dsync.user.deleted",
      when: (e) => Boolean(directoryEmail(e.data)),
      contact: { email: (e) => directoryEmail(e.data) },
      event: {
        name: "directoryUserDeleted",
        properties: { organizationId: (e) => e.data.organization_id },
        onlyKnown: true,
      },
    },
  ],
  (e) => {
    switch (e.type) {
      case "user.created":
      case "user.updated":
        return linksOf(account(e.data), e.type === "user.created");
      case "authentication.email_verification_succeeded":
        return linksOf({ userId: e.data.user_id, email: e.data.email, verified: true });
      default:
        return [];
    }
  },
  ["user.created", "user.updated", "authentication.email_verification_succeeded"],
);
