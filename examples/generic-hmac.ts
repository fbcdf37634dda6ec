/**
 * Any HMAC: events of your own system, with their own types. For another form of signature, `genericHmacWith` in
 * `src/handlers/generic-hmac.ts` makes a handler.
 *
 * To use it, copy this file to `src/mappings/generic-hmac.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import genericHmac from "./mappings/generic-hmac.ts";
 *     "generic-hmac": { rules: genericHmac, secret: "HMAC_WEBHOOK_SECRET" },
 */
import { genericHmac } from "../src/handlers/generic-hmac.ts";
import { rules } from "../src/rules/types.ts";
import { clip, shortLink } from "../src/rules/values/clip.ts";
import { iso } from "../src/rules/values/iso.ts";
import type { Handler } from "../src/webhook.ts";

/** The events that your system sends. Replace them with yours: rules get their exact types from this type. */
type Events =
  | { type: "quota.exceeded"; id: string; timestamp: string; user: User; quota: string; limit: number }
  | { type: "export.finished"; id: string; timestamp: string; user: User; url: string; expiresAt?: string };
type User = { id: string; email: string };

// Only if your system has confirmed the address. Otherwise use `email` alone, and remove the link.
const person = ({ user }: Events) => ({ userId: user.id, email: user.email });

export default rules(
  genericHmac as unknown as Handler<Events>,
  [
    {
      name: "quota exceeded",
      on: "quota.exceeded",
      contact: person,
      event: { name: "quotaExceeded", properties: { quota: (e) => clip(e.quota), limit: (e) => e.limit } },
    },
    {
      name: "export finished",
      on: "export.finished",
      contact: person,
      event: {
        name: "exportFinished",
        properties: { exportUrl: (e) => shortLink(e.url), expiresAt: (e) => iso(e.expiresAt) },
      },
    },
  ],
  (e) => [person(e)],
);
