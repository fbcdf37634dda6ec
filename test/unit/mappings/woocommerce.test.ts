import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/woocommerce.ts";
import { describeBilling } from "./billing.ts";
import { type Body, planOf, recorded } from "./recorded.ts";

const { bodyOf, contactsOf, event, linksOf, planFor, propertiesOf } = recorded(ruleSet);
const CUSTOMER = "woocommerce:customer-25";

describeBilling(ruleSet, {
  events: [
    ["checkoutCompleted", "order.updated"],
    ["checkoutCompleted", "order.updated.free"],
    ["subscriptionRenewed", "order.updated.renewal"],
    ["paymentFailed", "order.updated.failed"],
    ["orderCanceled", "order.updated.cancelled"],
    ["refunded", "order.updated.refunded-part"],
    ["refunded", "order.updated.refunded"],
    ["subscriptionStarted", "subscription.created"],
    ["subscriptionCanceled", "subscription.updated.cancelled"],
    ["customerDeleted", "customer.deleted"],
  ],
  noEvent: ["order.created.pending", "order.deleted", "subscription.created.pending"],
  started: ["order.created.pending", "order.updated", "subscription.created"],
  cancelScheduled: "subscription.updated.pending-cancel",
  yen: ["order.updated.yen", "¥4,900"],
  free: "order.updated.free",
  customer: ["customer.created", CUSTOMER],
  noAddress: "customer.updated.no-email",
  deleted: "customer.deleted",
  order: [["customer.created", "customer.updated", "customer.deleted"]],
});

test("a paid order is one webhook, through notes, shipping and completion; a refund is another", async () => {
  const idOf = async (name: string, change?: (body: Body) => void) => (await planFor(name, change)).webhook.id;
  const completed = (body: Body) =>
    Object.assign(body, { status: "completed", date_modified_gmt: "2025-11-13T12:00:00" });
  const paid = await idOf("order.updated");
  expect(await idOf("order.updated", completed)).toBe(paid);
  expect(await idOf("order.created.pending")).not.toBe(paid);
  expect(await idOf("order.updated.refunded-part")).not.toBe(paid);
  expect(await idOf("order.updated.refunded")).not.toBe(await idOf("order.updated.refunded-part"));
});

test("refunds are summed; the last one makes it full", async () => {
  expect(await event("order.updated.refunded-part")).toMatchObject({ totalRefundedValue: 10, full: false });
  expect(await event("order.updated.refunded")).toMatchObject({ totalRefunded: "€49.00", full: true });
});

test("the dearest product names the order, and a guest has no customer", async () => {
  expect(await event("order.updated")).toMatchObject({ product: "Handbook" });
  expect(await linksOf("order.updated.guest")).toEqual([]);
  expect(await linksOf("order.updated")).toMatchObject([{ ref: CUSTOMER, email: "ada@example.com" }]);
  expect(await contactsOf("customer.deleted")).toEqual([{ ref: CUSTOMER }]);
  for (const name of ["order.updated.nobody", "subscription.created.nobody"])
    expect([name, (await planFor(name)).deliveries]).toEqual([name, []]);
});

test("times are UTC, whatever the zone of the shop", async () => {
  expect((await planFor("order.updated")).webhook.occurredAt).toBe(Date.UTC(2025, 10, 12, 12, 0, 5));
  expect(await propertiesOf("subscription.created.trial")).toMatchObject({ trialEndsAt: "2025-11-26T12:00:00.000Z" });
});

test.each([
  ["order.updated", "subscription.updated"],
  ["order.updated", "customer.updated"],
  ["subscription.created", "order.updated"],
  ["customer.created", "order.created"],
])("a body of %s is not read under the unsigned topic %s", async (name, topic) => {
  const read = planOf(ruleSet, bodyOf(name), { "x-wc-webhook-topic": topic, "x-wc-webhook-delivery-id": "1" });
  await expect(read).rejects.toThrow("topic");
});
