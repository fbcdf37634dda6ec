import { generic } from "../handlers/generic.ts";
import { type Account, contactOf, formerContactOf, linksOf } from "../rules/people/account.ts";
import { rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import type { Handler } from "../webhook.ts";

/** The events your own systems send. Add yours here: rules get their exact types from it. */
type Events =
  | { type: "user.created"; timestamp?: string; data: User }
  | { type: "user.updated"; timestamp?: string; data: User }
  | { type: "user.deleted"; timestamp?: string; data: { id: string; email?: string; emailVerified?: boolean } };

type User = {
  id: string;
  email: string;
  /**
   * Yours to say, as the sender is yours: without it, the address counts as confirmed and is tied to the id. Your system
   * has to send `emailVerified: false` for an address that nobody has confirmed, or anyone could sign up as somebody else.
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
      contact: (e) => contactOf(account(e.data)),
      // No name is written to a contact that may be somebody else's.
      update: {
        firstName: (e) => (e.data.emailVerified === false ? undefined : clip(e.data.firstName)),
        lastName: (e) => (e.data.emailVerified === false ? undefined : clip(e.data.lastName)),
      },
    },
    {
      name: "user created",
      on: "user.created",
      contact: (e) => contactOf(account(e.data)),
      event: { name: "userCreated" },
    },
    {
      // The contact stays, so that it is known not to be written to: `remove: "delete"` forgets it, and that as well.
      name: "account deleted",
      on: "user.deleted",
      contact: (e) => formerContactOf(account(e.data)),
      event: { name: "accountDeleted" },
      remove: "unsubscribe",
    },
  ],
  (e) => (e.type === "user.created" || e.type === "user.updated" ? linksOf(account(e.data)) : []),
);
