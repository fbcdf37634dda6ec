import { expect, expectTypeOf, test } from "vitest";
import { clerk } from "../../../src/handlers/clerk.ts";
import { stripe } from "../../../src/handlers/stripe.ts";
import { supabase } from "../../../src/handlers/supabase.ts";
import { joined, rules } from "../../../src/rules/types.ts";

// What is tested here is tested by `tsc`: each @ts-expect-error fails the build when its line is no error any more.

const contact = { email: "ada@example.com" };

test("a misspelt event type is an error on the rule that has it", () => {
  const list = rules(stripe, [
    { name: "good", on: "customer.created", contact },
    // @ts-expect-error customer.creatd is no event of Stripe
    { name: "bad", on: "customer.creatd", contact },
    // @ts-expect-error one of several is no event of Stripe
    { name: "bad in a list", on: ["customer.created", "customer.creatd"], contact },
    // @ts-expect-error on nothing, it would never run
    { name: "on nothing", on: [], contact },
  ]);
  // @ts-expect-error Clerk's events are not Stripe's
  rules(clerk, [{ name: "bad", on: "customer.created", contact }]);
  expect(list.rules).toHaveLength(4);
});

test("a misspelt path in the payload is an error in the leaf that has it", () => {
  const { rules: list } = rules(stripe, [
    {
      name: "r",
      on: "customer.created",
      // @ts-expect-error emial
      contact: { email: (e) => e.data.object.emial },
      // @ts-expect-error nmae
      update: { name: (e) => e.data.object.nmae },
      // @ts-expect-error a customer has no amount
      when: (e) => e.data.object.amount_total > 0,
    },
  ]);
  expect(list).toHaveLength(1);
});

test("the event has the exact type of the one or the several that are named", () => {
  const { rules: list } = rules(stripe, [
    {
      name: "one",
      on: "checkout.session.completed",
      when: (e) => {
        expectTypeOf(e.type).toEqualTypeOf<"checkout.session.completed">();
        return e.data.object.object === "checkout.session";
      },
      contact,
    },
    {
      name: "several",
      on: ["invoice.paid", "customer.created"],
      when: (e) => {
        expectTypeOf(e.type).toEqualTypeOf<"invoice.paid" | "customer.created">();
        expectTypeOf(e.data.object.object).toEqualTypeOf<"invoice" | "customer">();
        return true;
      },
      contact,
    },
  ]);
  rules(supabase, [
    { name: "r", on: "send-email", contact: { email: (e) => e.user.email }, update: { a: (e) => e.email_data.token } },
  ]);
  // @ts-expect-error no mail is asked for in this hook
  rules(supabase, [{ name: "r", on: "after-user-created", contact, update: { a: (e) => e.email_data.token } }]);
  expect(list).toHaveLength(2);
});

test("sets joined keep their order and their links, and `links` has the type of the provider's events", () => {
  const customers = rules(stripe, [{ name: "a", on: "customer.created", contact }], () => [{ ref: "of a part" }]);
  const invoices = rules(stripe, [{ name: "b", on: "invoice.paid", contact }]);
  const set = joined(stripe, [customers, invoices], (e) => {
    // @ts-expect-error not every event has a customer
    e.data.object.customer;
    return e.type === "invoice.paid" ? [{ ref: e.data.object.id }] : [];
  });
  expect(set.handler).toBe(stripe);
  expect(set.rules.map(({ name }) => name)).toEqual(["a", "b"]);
  expect(set.links({ type: "invoice.paid", data: { object: { id: "in_1" } } })).toEqual([
    { ref: "of a part" },
    { ref: "in_1" },
  ]);
});

test("a value the API has no type for is an error", () => {
  const { rules: list } = rules(stripe, [
    // @ts-expect-error an object is no property value
    { name: "r", on: "customer.created", contact, update: { address: (e) => e.data.object.address } },
  ]);
  expect(list).toHaveLength(1);
});
