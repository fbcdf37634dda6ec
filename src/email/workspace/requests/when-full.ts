import type { Operation } from "../../../lib/contract/operation.ts";

/** Acts of a full team, beside every DELETE: they send or free, or their few rows are the way out. */
const ALWAYS_OPEN = new Set([
  "contacts.update",
  "contacts.delete",
  "contacts.bulk",
  "transactional.send",
  "sends.retry",
  "people.erase",
  "suppressions.add",
  "campaigns.pause",
  "campaigns.cancel",
  "campaigns.unschedule",
  "workflows.pause",
  "workflows.stop",
  "workflows.remove",
  "imports.pause",
  "imports.cancel",
  "keys.create",
  "webhooks.update",
  "domains.update",
  "domains.rotate",
  "tracking.set",
  "teams.update",
]);

/** True if a full team refuses the operation. An update of a contact passes if the contact does not grow. */
export const growsOf = (name: string, { effect, method }: Pick<Operation, "effect" | "method">): boolean =>
  effect === "act" && method !== "DELETE" && !ALWAYS_OPEN.has(name);
