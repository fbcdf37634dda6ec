import { generic } from "../handlers/generic.ts";
import { rules } from "../rules/types.ts";
import type { Handler } from "../webhook.ts";

/** The events your own systems send. Add yours here: rules get their exact types from it. */
type Events =
  | { type: "user.created"; timestamp?: string; data: User }
  | { type: "user.updated"; timestamp?: string; data: User };

type User = { id: string; email: string; firstName?: string | null; lastName?: string | null };

export default rules(
  generic as Handler<Events>,
  [
    {
      name: "user profile",
      on: ["user.created", "user.updated"],
      contact: { userId: (e) => e.data.id, email: (e) => e.data.email },
      update: { firstName: (e) => e.data.firstName, lastName: (e) => e.data.lastName },
    },
    {
      name: "user created",
      on: "user.created",
      contact: { userId: (e) => e.data.id, email: (e) => e.data.email },
      event: { name: "userCreated" },
    },
  ],
  (e) => (e.type === "user.created" || e.type === "user.updated" ? [{ userId: e.data.id, email: e.data.email }] : []),
);
