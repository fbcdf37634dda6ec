/**
 * Resend: addresses that bounce or complain get no more campaigns.
 *
 * To use it, copy this file to `src/mappings/resend.ts`, take `src/` out of its imports, and add it to
 * `src/sources.ts`:
 *
 *     import resend from "./mappings/resend.ts";
 *     resend: { rules: resend, secret: "RESEND_WEBHOOK_SECRET" },
 */
import { resend } from "../src/handlers/resend.ts";
import { rules } from "../src/rules/types.ts";

/** Whom the mail was to. Of several recipients it is not told which one it was about. */
const only = (to: readonly string[]) => (to.length === 1 ? to[0] : undefined);

/**
 * For mail that you send by Resend elsewhere. These rules are about `subscribed` and nothing else: they write `false`,
 * which ends campaigns and workflows to the address, and never `true`.
 */
export default rules(resend, [
  {
    name: "address bounced",
    on: "email.bounced",
    when: (e) => e.data.bounce?.type === "Permanent" && only(e.data.to) !== undefined,
    contact: { email: (e) => only(e.data.to) },
    update: { subscribed: false },
  },
  {
    name: "complained",
    on: "email.complained",
    when: (e) => only(e.data.to) !== undefined,
    contact: { email: (e) => only(e.data.to) },
    update: { subscribed: false },
  },
  {
    name: "unsubscribed",
    on: "contact.updated",
    when: (e) => e.data.unsubscribed,
    contact: { email: (e) => e.data.email },
    update: { subscribed: false },
  },
]);
