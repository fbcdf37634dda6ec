import { generic } from "../handlers/generic.ts";
import { type Account, contactOf, formerContactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import type { Handler } from "../webhook.ts";

/** The events that your own systems send. Add yours here: rules get their exact types from this type. */
type Events =
  | { type: "user.created"; timestamp?: string; data: User }
  | { type: "user.updated"; timestamp?: string; data: User }
  | { type: "user.deleted"; timestamp?: string; data: { id: string; email?: string; emailVerified?: boolean } };

type User = {
  id: string;
  email: string;
  /**
   * Whether the address is confirmed; absent counts as true, and the address is then linked to the user id. Your system
   * must send `emailVerified: false` for an unconfirmed address: otherwise anyone could sign up with another person's
   * address and take over that contact.
   */
  emailVerified?: boolean;
  firstName?: string | null;
  lastName?: string | null;
};

const account = ({ id, email, emailVerified = true }: Events["data"]): Account => ({
  userId: id,
  email,
  verified: emailVerified,
});

export default rules(
  generic as Handler<Events>,
  [
    {
      name: "user profile",
      on: ["user.created", "user.updated"],
      // An update may contain a new, unconfirmed address.
      when: (e) => e.type === "user.created" || isOwn(account(e.data)),
      contact: (e) => contactOf(account(e.data)),
      // Writes no name to a contact that may belong to another person. An empty name does not replace a name from a form
      // or a purchase.
      update: {
        firstName: (e) => (isOwn(account(e.data)) && clip(e.data.firstName)) || undefined,
        lastName: (e) => (isOwn(account(e.data)) && clip(e.data.lastName)) || undefined,
      },
    },
    {
      name: "user created",
      on: "user.created",
      contact: (e) => contactOf(account(e.data)),
      event: { name: "userCreated" },
    },
    {
      // Keeps the contact, so that its unsubscription is remembered. `remove: "delete"` would delete both.
      name: "account deleted",
      on: "user.deleted",
      contact: (e) => formerContactOf(account(e.data)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
  ],
  (e) =>
    e.type === "user.created" || e.type === "user.updated" ? linksOf(account(e.data), e.type === "user.created") : [],
);
