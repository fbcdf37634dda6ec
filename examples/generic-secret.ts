/**
 * Any sender with a header: webhooks of a form or a no-code tool.
 *
 * To use it, copy this file to `src/mappings/generic-secret.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import genericSecret from "./mappings/generic-secret.ts";
 *     "generic-secret": { rules: genericSecret, secret: "SHARED_WEBHOOK_SECRET" },
 */
import { genericSecret } from "../src/handlers/generic-secret.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";
import type { Handler } from "../src/webhook.ts";

/** The events that are sent. Replace them with yours: rules get their exact types from this type. */
type Events = { type: "lead.created"; id: string; email: string; page?: string; message?: string };

export default rules(genericSecret as unknown as Handler<Events>, [
  {
    // Anyone can enter any address into a form, so the rule uses the address alone and writes no name.
    name: "lead created",
    on: "lead.created",
    contact: { email: (e) => e.email },
    event: { name: "leadCreated", properties: { page: (e) => clip(e.page), message: (e) => clip(e.message) } },
  },
]);
