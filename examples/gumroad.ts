/**
 * Gumroad: sales, and canceled or ended memberships.
 *
 * To use it, copy this file to `src/mappings/gumroad.ts`, remove `src/` from its imports, and add it to
 * `src/sources.ts`:
 *
 *     import gumroad from "./mappings/gumroad.ts";
 *     gumroad: { rules: gumroad, secret: "GUMROAD_WEBHOOK_SECRET" },
 */
import { type GumroadEvent, gumroad } from "../src/handlers/gumroad.ts";
import { decimal } from "../src/rules/billing/decimal.ts";
import { majorUnits, money } from "../src/rules/billing/money.ts";
import { rules } from "../src/rules/types.ts";
import { clip } from "../src/rules/values/clip.ts";
import { iso } from "../src/rules/values/iso.ts";

const product = (e: GumroadEvent) => clip(e.product_name);
const currency = (e: GumroadEvent) => (e.currency ?? "usd").toLowerCase();
const price = (e: GumroadEvent) => decimal(e.price ?? "");
const paid = {
  amount: (e: GumroadEvent) => money(price(e), currency(e)),
  amountValue: (e: GumroadEvent) => majorUnits(price(e), currency(e)),
  currency,
  product,
};

export default rules(gumroad, [
  {
    name: "order completed",
    on: "sale",
    when: (e) => Boolean(e.email && e.price) && e.is_recurring_charge !== "true" && e.refunded !== "true",
    contact: { email: (e) => e.email },
    event: { name: "orderCompleted", properties: paid },
  },
  {
    name: "cancel scheduled",
    on: "cancellation",
    when: (e) => Boolean(e.user_email),
    contact: { email: (e) => e.user_email },
    event: { name: "cancelScheduled", properties: { plan: product } },
  },
  {
    name: "subscription canceled",
    on: "subscription_ended",
    when: (e) => Boolean(e.user_email),
    contact: { email: (e) => e.user_email },
    event: {
      name: "subscriptionCanceled",
      properties: { plan: product, reason: (e) => e.ended_reason, endedAt: (e) => iso(e.ended_at) },
    },
  },
]);
