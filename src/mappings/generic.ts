import { generic } from "../handlers/generic.ts";
import { type Account, contactOf, formerContactOf, isOwn, linksOf } from "../rules/people/account.ts";
import { rules } from "../rules/types.ts";
import { clip } from "../rules/values/clip.ts";
import type { Handler } from "../webhook.ts";

/** Add events of your systems here for exact types in rules. */
type Events =
  | { type: "user.created"; timestamp?: string; data: User }
  | { type: "user.updated"; timestamp?: string; data: User }
  | { type: "user.deleted"; timestamp?: string; data: { id: string; email?: string; emailVerified?: boolean } };

type User = {
  id: string;
  email: string;
  /**
   * Absent counts as true and links the address to the user id. Send `emailVerified: false` for unconfirmed
   * addresses. Otherwise anyone could take over another person's contact.
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
      // The contact may belong to another person, and an empty name must not replace one.
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
      // Keeps the contact and its unsubscription.
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
