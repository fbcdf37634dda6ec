import type { UserJSON } from "@clerk/backend";
import { clerk } from "../handlers/clerk.ts";
import { rules } from "../rules/types.ts";

/** The address Clerk itself writes to; undefined for a person who signed up by phone alone. */
const primaryEmail = (user: UserJSON) =>
  user.email_addresses.find((address) => address.id === user.primary_email_address_id)?.email_address;

export default rules(
  clerk,
  [
    {
      name: "user profile",
      on: ["user.created", "user.updated"],
      when: (e) => primaryEmail(e.data) !== undefined,
      contact: { userId: (e) => e.data.id, email: (e) => primaryEmail(e.data) },
      update: { firstName: (e) => e.data.first_name, lastName: (e) => e.data.last_name },
    },
    {
      name: "signed up",
      on: "user.created",
      when: (e) => primaryEmail(e.data) !== undefined,
      contact: { userId: (e) => e.data.id, email: (e) => primaryEmail(e.data) },
      event: { name: "signedUp" },
      transactional: { template: "welcome", variables: { name: (e) => e.data.first_name ?? "there" } },
    },
    {
      // The contact stays: deleting it would forget that the person unsubscribed.
      name: "account deleted",
      on: "user.deleted",
      contact: { userId: (e) => e.data.id },
      event: { name: "accountDeleted" },
    },
    {
      name: "waitlist joined",
      on: "waitlistEntry.created",
      contact: { email: (e) => e.data.email_address },
      // Nothing to write: an update without properties makes the contact where there is none.
      update: {},
      event: { name: "waitlistJoined" },
    },
  ],
  (e) => {
    if (e.type !== "user.created" && e.type !== "user.updated") return [];
    const email = primaryEmail(e.data);
    return email ? [{ userId: e.data.id, email }] : [];
  },
);
