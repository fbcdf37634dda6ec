import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/mollie.ts";
import { describeBilling } from "./billing.ts";
import { planOf, recorded } from "./recorded.ts";

const { event, planFor, propertiesOf } = recorded(ruleSet);

describeBilling(ruleSet, {
  events: [
    ["invoicePaid", "sales-invoice.paid"],
    ["invoicePaid", "sales-invoice.paid.business"],
    ["invoiceFinalized", "sales-invoice.issued"],
    ["invoiceVoided", "sales-invoice.canceled"],
  ],
  noEvent: ["sales-invoice.created", "sales-invoice.issued.paid", "payment-link.paid"],
  yen: ["sales-invoice.paid.yen", "¥4,900"],
  testData: ["sales-invoice.paid.test"],
  order: [["sales-invoice.created", "sales-invoice.issued", "sales-invoice.paid"]],
});

test("amounts are in the recipient's language", async () => {
  expect(await event("sales-invoice.paid")).toMatchObject({ amount: "€\u00a0107,69", amountValue: 107.69 });
  expect(await event("sales-invoice.issued")).toMatchObject({ amountValue: 107.69, dueAt: "2025-12-10T10:48:00.000Z" });
});

test("a business is no person's name", async () => {
  expect(await propertiesOf("sales-invoice.paid")).toMatchObject({ firstName: "Ada", lastName: "Lovelace" });
  expect(Object.keys(await propertiesOf("sales-invoice.paid.business"))).toEqual([
    "lastPurchaseAt",
    "lastPurchaseAmount",
  ]);
});

test("a simple payload and an invoice without an address make no delivery", async () => {
  for (const name of ["paid.simple", "paid.no-address", "canceled.simple"])
    expect([name, (await planFor(`sales-invoice.${name}`)).deliveries]).toEqual([name, []]);
});

test("another resource of Mollie is refused", async () => {
  await expect(planOf(ruleSet, { resource: "payment", id: "tr_1", type: "x" })).rejects.toThrow(
    'resource must be "event"',
  );
});
