/**
 * Resend: addresses that bounce or complain get no more campaigns.
 *
 * To use it, copy this file to `src/mappings/resend.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import resend from "./mappings/resend.ts";
 *     resend: { rules: resend, secret: "RESEND_WEBHOOK_SECRET" },
 */
import { resend } from "../src/handlers/resend.ts";
import { rules } from "../src/rules/types.ts";

/** The recipient; undefined for several, because the webhook does not show which one is meant. */
const only = (to: readonly string[]) => (to.length === 1 ? to[0] : undefined);

/**
 * For mail that you send through Resend yourself. These rules write only `subscribed: false`, which ends campaigns and
 * workflows to the address. They never write `true`.
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
