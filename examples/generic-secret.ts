/**
 * Any sender with a header: what a form or a no-code tool sends.
 *
 * To use it, copy this file to `src/mappings/generic-secret.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import genericSecret from "./mappings/generic-secret.ts";
 *     "generic-secret": { rules: genericSecret, secret: "SHARED_WEBHOOK_SECRET" },
 */
import { genericSecret } from "../src/handlers/generic-secret.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";
import type { Handler } from "../src/webhook.ts";

/** What is sent. Write yours here: rules get their exact types from it. */
type Events = { type: "lead.created"; id: string; email: string; page?: string; message?: string };

export default rules(genericSecret as unknown as Handler<Events>, [
  {
    // Anyone can enter any address into a form, so the rule goes by it alone and writes no name.
    name: "lead created",
    on: "lead.created",
    contact: { email: (e) => e.email },
    event: { name: "leadCreated", properties: { page: (e) => clip(e.page), message: (e) => clip(e.message) } },
  },
]);
