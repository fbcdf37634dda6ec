import { expectTypeOf } from "vitest";
import { clerk } from "../../../src/handlers/clerk.ts";
import { stripe } from "../../../src/handlers/stripe.ts";
import { supabase } from "../../../src/handlers/supabase.ts";
import { joined, rules } from "../../../src/rules/types.ts";

// `tsc` tests this file; nothing runs it. Each @ts-expect-error fails the build when its line is no longer an error.

const contact = { email: "ada@example.com" };

/** A misspelled event type is an error on its rule. */
rules(stripe, [
  { name: "good", on: "customer.created", contact },
  // @ts-expect-error customer.creatd is not an event of Stripe
  { name: "bad", on: "customer.creatd", contact },
  // @ts-expect-error one of several is not an event of Stripe
  { name: "bad in a list", on: ["customer.created", "customer.creatd"], contact },
  // @ts-expect-error a rule on no event would never run
  { name: "on nothing", on: [], contact },
]);
// @ts-expect-error Clerk's events are not Stripe's
rules(clerk, [{ name: "bad", on: "customer.created", contact }]);

/** A misspelled path in the body is an error in its leaf. */
rules(stripe, [
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

/** A template that is a function gets the event of the rule, and its names are listed. */
rules(stripe, [
  {
    name: "chosen",
    on: ["invoice.paid", "invoice.overdue"],
    contact,
    transactional: {
      templates: ["paid", "overdue"],
      template: (e) => {
        expectTypeOf(e.type).toEqualTypeOf<"invoice.paid" | "invoice.overdue">();
        return e.type === "invoice.paid" ? "paid" : "overdue";
      },
    },
  },
  {
    name: "misspelled path",
    on: "invoice.paid",
    contact,
    // @ts-expect-error nmber
    transactional: { templates: ["paid"], template: (e) => (e.data.object.nmber ? "paid" : "paid") },
  },
  {
    name: "without names",
    on: "invoice.paid",
    contact,
    // @ts-expect-error a function alone does not say which templates it may return
    transactional: { template: () => "paid" },
  },
]);

/** Links take null and undefined, as contacts do. */
rules(stripe, [{ name: "r", on: "charge.succeeded", contact: () => ({ email: null, ref: undefined }) }], (e) =>
  e.type === "customer.updated" ? [{ ref: e.data.object.id, email: e.data.object.email, userId: undefined }] : [],
);

/** The event in a leaf has the exact type of the events in `on`. */
rules(stripe, [
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
// @ts-expect-error this hook does not ask for a mail
rules(supabase, [{ name: "r", on: "after-user-created", contact, update: { a: (e) => e.email_data.token } }]);

joined(stripe, [], (e) => {
  // @ts-expect-error not every event has a customer
  e.data.object.customer;
  return e.type === "invoice.paid" ? [{ ref: e.data.object.id }] : [];
});

/** A value without a type in the API is an error. */
rules(stripe, [
  // @ts-expect-error an object is not a property value
  { name: "r", on: "customer.created", contact, update: { address: (e) => e.data.object.address } },
]);
