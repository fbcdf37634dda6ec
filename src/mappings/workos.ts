import { type DirectoryUser, type WorkosUser, workos } from "../handlers/workos.ts";
import { type Account, contactOf, formerContactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { rules } from "../rules/types.ts";
import { became, before } from "../rules/values/changed.ts";
import { clip } from "../rules/values/clip.ts";
import { changed } from "../rules/values/transition.ts";

const account = (user: WorkosUser): Account => ({ userId: user.id, email: user.email, verified: user.email_verified });

/** The email address of a person in a customer's directory. */
const directoryEmail = ({ email, emails }: DirectoryUser): string | undefined =>
  email ?? (emails?.find(({ primary }) => primary) ?? emails?.[0])?.value;

type Update<T> = { data: T & Former; context?: Former };
type Former = { previous_attributes?: Readonly<Record<string, unknown>> };

/** The change that an update names. Without former values no change is known, and rules for a change make no call. */
const change = <T extends object>({ data, context }: Update<T>) => ({
  object: data as T,
  previous_attributes: (context?.previous_attributes ?? data.previous_attributes) as Partial<T> | undefined,
});

/** An invited person has a pending membership, which becomes active when the invitation is accepted. */
const acceptedInvitation = (e: Update<{ status: string }>): boolean =>
  e.data.status === "active" && became(change(e), ({ status }) => status !== "pending");

type Membership = { data: { organization_id: string; organization_name?: string; role?: { slug: string } } };
const organization = {
  organizationId: (e: Membership) => e.data.organization_id,
  organizationName: (e: Membership) => clip(e.data.organization_name),
};
const membership = { ...organization, role: (e: Membership) => clip(e.data.role?.slug) };

/**
 * WorkOS sends its own mail (codes, resets, invitations), so these rules send none. Its events do not show which session
 * is the first. To send a welcome mail, add to "email confirmed":
 *
 *     transactional: { template: "welcome", variables: { name: "there" } },
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
      // Sent when the person enters the code mailed to this address, so the address is verified.
      name: "email confirmed",
      on: "authentication.email_verification_succeeded",
      when: (e) => Boolean(e.data.user_id && e.data.email),
      contact: { userId: (e) => e.data.user_id, email: (e) => e.data.email },
      event: { name: "emailConfirmed" },
    },
    {
      // The contact with this user id gets the new address when it is verified.
      name: "email changed",
      on: "user.updated",
      when: (e) => changed(before(change(e)), e.data, "email") && isOwn(account(e.data)),
      contact: (e) => contactOf(account(e.data)),
      event: { name: "emailChanged" },
    },
    {
      // Keeps the contact, so that its unsubscription is remembered. `remove: "delete"` would delete both.
      name: "account deleted",
      on: "user.deleted",
      contact: (e) => formerContactOf(account(e.data)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
    // Anyone who knows an address can ask for these mails, so these rules use the address alone and link nothing.
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
      // This event creates a contact for a person who has not agreed to anything yet.
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
    // Anyone can enter any address into a waitlist: these rules use the address alone and write no name.
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
      // A person who is only invited has a pending membership.
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
    // A customer's directory. Its administrator can enter any address, so these rules write no name and link nothing; a
    // person who leaves it may still have an account. The first synchronization sends a webhook for every person, and
    // each becomes a contact. Remove these three rules if you do not want that.
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
