import { expect, test } from "vitest";
import ruleSet from "../../../src/mappings/shopify.ts";
import { recorded } from "./recorded.ts";

const { all, contactsOf, event, eventNames, linksOf, planFor, propertiesOf } = recorded(ruleSet);

test.each([
  ["refunded", "refunds.create"],
  ["customerDeleted", "customers.delete"],
])("makes the event %s on %s", async (name, fixture) => {
  expect(await eventNames(fixture)).toEqual([name]);
});

test.each(["checkouts.create.no-consent", "checkouts.update", "orders.paid.till", "refunds.create.restock"])(
  "makes no event on %s",
  async (name) => {
    expect(await eventNames(name)).toEqual([]);
  },
);

test("links a customer's id and address", async () => {
  expect(await linksOf("customers.create")).toEqual([
    { ref: "shopify:7203412345678", email: expect.stringContaining("@example.com") },
  ]);
});

test("an update of a customer without an address makes no call and no link", async () => {
  const { calls, links } = await planFor("customers.update.phone-only");
  expect([calls, links]).toEqual([[], []]);
});

test("an id that a buyer can set is never a user id", async () => {
  for (const { name, calls, links } of await all()) {
    const identifiers = [...calls.map(({ contact }) => contact), ...links];
    expect(
      identifiers.filter(({ userId }) => userId),
      name,
    ).toEqual([]);
  }
});

test("marks test data, and nothing else, as such", async () => {
  const tests = (await all()).filter(({ webhook }) => webhook.test);
  expect(tests.map(({ name }) => name)).toEqual(["orders.paid.test"]);
});

test("amounts are in the currency that the customer paid in", async () => {
  expect(await event("orders.paid")).toMatchObject({ amount: "£46.95", amountValue: 46.95, currency: "GBP" });
  expect(await event("orders.paid.yen")).toMatchObject({ amount: "￥9,350", amountValue: 9350, currency: "JPY" });
  expect(await event("refunds.create.two-payments")).toMatchObject({ amount: "£30.30", amountValue: 30.3 });
});

test("an order is completed once, when it is paid", async () => {
  const names = await eventNames(
    ...["checkouts.create", "checkouts.update", "orders.create", "orders.paid", "checkouts.update.completed"],
  );
  expect(names.filter((name) => name === "orderCompleted")).toHaveLength(1);
  expect(await propertiesOf("orders.paid")).toMatchObject({ checkoutUrl: null, checkoutOpenedAt: null });
});

test("refunds use the link of their order, deleted customers that of the customer", async () => {
  const links = await linksOf("orders.paid");
  expect(await contactsOf("refunds.create")).toEqual([{ ref: links[0]?.ref }]);
  expect(await contactsOf("customers.delete")).toEqual([{ ref: links[1]?.ref }]);
  expect(new Set(links.map(({ email }) => email))).toEqual(new Set(["ada@example.com"]));
});
