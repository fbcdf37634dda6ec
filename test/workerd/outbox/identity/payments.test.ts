import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, expect, inject, it } from "vitest";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { countRows } from "../journal/count-rows.ts";
import { createBench, outboxNamed } from "../setup.ts";
import { letArrive, START } from "./arrivals.ts";
import { stripeWebhook } from "./planned.ts";

const HOUR = 3_600_000;
const KIM = "kim@example.com";

type Payment = { customer?: string; billing?: string; receipt?: string };

const charge = ({ customer, billing, receipt }: Payment) => ({
  id: "ch_1",
  object: "charge",
  amount: 1900,
  amount_captured: 1900,
  amount_refunded: 0,
  billing_details: { email: billing ?? null },
  captured: true,
  currency: "usd",
  customer: customer ?? null,
  payment_intent: "pi_1",
  receipt_email: receipt ?? null,
  refunded: false,
});
const intent = ({ customer, receipt }: Payment, type = "card") => ({
  id: "pi_1",
  object: "payment_intent",
  amount: 1900,
  amount_received: 1900,
  currency: "usd",
  customer: customer ?? null,
  payment_method_types: [type],
  receipt_email: receipt ?? null,
});

const at = (step: number) => START - HOUR + step * 1_000;
const paid = (payment: Payment) => [
  stripeWebhook("payment_intent.succeeded", intent(payment), at(1)),
  stripeWebhook("charge.succeeded", charge(payment), at(1)),
];
const customer = stripeWebhook("customer.created", { id: "cus_1", object: "customer", email: KIM }, at(0));
const nameless = stripeWebhook("customer.created", { id: "cus_1", object: "customer", email: null }, at(0));
const session = stripeWebhook(
  "checkout.session.completed",
  {
    id: "cs_1",
    object: "checkout.session",
    mode: "payment",
    payment_status: "paid",
    payment_intent: "pi_1",
    amount_total: 1900,
    currency: "usd",
    customer: null,
    customer_details: { email: KIM, name: "Kim Berg" },
    metadata: {},
  },
  at(2),
);
const about = { payment_intent: "pi_1", charge: "ch_1", amount: 1900, currency: "usd" };
const refunded = (payment: Payment) =>
  stripeWebhook("charge.refunded", { ...charge(payment), amount_refunded: 1900, refunded: true }, at(3), {
    amount_refunded: 0,
  });
const later = [
  stripeWebhook("charge.dispute.created", { id: "du_1", evidence: {}, reason: "fraudulent", ...about }, at(4)),
  stripeWebhook("radar.early_fraud_warning.created", { id: "issfr_1", fraud_type: "misc", ...about }, at(5)),
  stripeWebhook("refund.failed", { id: "re_1", failure_reason: "unknown", ...about }, at(6)),
];

const chargedBefore = (payment: Payment) => [
  stripeWebhook("charge.succeeded", charge(payment), at(1)),
  stripeWebhook("payment_intent.succeeded", intent(payment), at(3)),
];
const oldCharge = (payment: Payment) => [
  stripeWebhook("charge.captured", { ...charge(payment), payment_intent: null }, at(1)),
  stripeWebhook(
    "charge.refunded",
    { ...charge(payment), payment_intent: null, amount_refunded: 1900, refunded: true },
    at(3),
    { amount_refunded: 0 },
  ),
];

const arrive = (webhooks: readonly PlannedWebhook[], gaps: readonly number[]) => {
  let time = 0;
  const arrivals = webhooks.map((webhook, place) => {
    time += gaps[place] ?? 0;
    return { at: time, webhook };
  });
  return runInDurableObject(outboxNamed("payments"), (_, { storage }) => letArrive(storage, arrivals));
};

const deliver = async (webhooks: readonly PlannedWebhook[], gaps: readonly number[]) => {
  const { contacts, deliveries } = await arrive(webhooks, gaps);
  const events = deliveries.flatMap((one) => (one.action === "event" ? [`${one.eventName} ${one.state}`] : []));
  return { contacts, events: events.sort() };
};

const declined = ({ customer: of, billing }: Payment) =>
  stripeWebhook(
    "payment_intent.payment_failed",
    {
      ...intent({ ...(of ? { customer: of } : {}) }),
      last_payment_error: {
        code: "card_declined",
        decline_code: "insufficient_funds",
        payment_method: { id: "pm_1", billing_details: { email: billing ?? null } },
      },
    },
    at(1),
  );

const STORIES: Readonly<Record<string, readonly [webhooks: readonly PlannedWebhook[], events: readonly string[]]>> = {
  "a guest whose address only the charge has": [
    [...paid({ billing: KIM }), refunded({ billing: KIM }), ...later],
    ["paymentSucceeded", "refunded", "disputeCreated", "earlyFraudWarning", "refundFailed"],
  ],
  "a guest whose address the payment has too": [
    [...paid({ billing: KIM, receipt: KIM }), ...later],
    ["paymentSucceeded", "disputeCreated", "earlyFraudWarning", "refundFailed"],
  ],
  "a customer whose charge has no address": [
    [customer, ...paid({ customer: "cus_1" }), refunded({ customer: "cus_1" }), ...later],
    ["paymentSucceeded", "refunded", "disputeCreated", "earlyFraudWarning", "refundFailed"],
  ],
  "a customer without an address whose charge has one": [
    [nameless, ...paid({ customer: "cus_1", billing: KIM }), refunded({ customer: "cus_1", billing: KIM }), ...later],
    ["paymentSucceeded", "refunded", "disputeCreated", "earlyFraudWarning", "refundFailed"],
  ],
  "a customer without an address whose charge came first, by the provider's clock": [
    [nameless, ...chargedBefore({ customer: "cus_1", billing: KIM })],
    ["paymentSucceeded"],
  ],
  "a customer without an address, charged by code from before payments": [
    [nameless, ...oldCharge({ customer: "cus_1", billing: KIM })],
    ["paymentSucceeded", "refunded"],
  ],
  "a guest whose card was declined, and then paid": [
    [declined({ billing: KIM }), ...paid({ billing: KIM })],
    ["paymentAttemptFailed", "paymentSucceeded"],
  ],
  "a customer without an address whose card was declined": [
    [nameless, declined({ customer: "cus_1", billing: KIM })],
    ["paymentAttemptFailed"],
  ],
  "a customer whose charge alone is enabled": [
    [customer, ...paid({ customer: "cus_1" }).slice(1), ...later],
    ["disputeCreated", "earlyFraudWarning", "refundFailed"],
  ],
  "a guest of a checkout whose charge has no address": [
    [session, refunded({}), ...later],
    ["checkoutCompleted", "refunded", "disputeCreated", "earlyFraudWarning", "refundFailed"],
  ],
};

describe("what is known of a payment finds its person, in any order of arrival", () => {
  it.each(Object.entries(STORIES))("%s", async (_, [webhooks, events]) => {
    const length = { minLength: webhooks.length, maxLength: webhooks.length };
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...webhooks], length),
        fc.array(fc.constantFrom(0, 1, 3_000, HOUR), length),
        async (order, gaps) => {
          const ending = await deliver(order, gaps);
          expect(ending.events).toEqual(events.map((name) => `${name} done`).sort());
          expect(ending.contacts).toMatchObject([{ email: KIM }]);
          if (events.includes("paymentSucceeded") || events.includes("checkoutCompleted"))
            expect(ending.contacts).toMatchObject([{ properties: { lastPurchaseAmount: 19 } }]);
        },
      ),
      { numRuns: inject("orders") },
    );
  });

  it("a payment of a person who stays unknown is skipped after 72 h, and nobody has to decide", async () => {
    const bench = await createBench();
    const [payment] = paid({});
    const { id } = await bench.accept(payment);
    const refund = await bench.accept(refunded({}));
    bench.service.offset = 72 * HOUR + 1_000;
    for (const one of [id, refund.id])
      for (const { state, message } of await bench.deliveries(one)) {
        expect(state).toBe("skipped");
        expect(message).toContain("No webhook has linked stripe:pi_1");
      }
    expect(bench.service.received).toEqual([]);
  });

  it("a declined card of another address is that of the customer, who has one", async () => {
    const webhooks = [customer, declined({ customer: "cus_1", billing: "card@example.com" })];
    expect(await deliver(webhooks, [0, 3_000])).toMatchObject({
      contacts: [{ email: KIM }],
      events: ["paymentAttemptFailed done"],
    });
  });

  describe("a declined card's address serves that attempt alone, in any order of arrival", () => {
    const FRIEND = "friend@example.com";
    const of = { customer: "cus_1" };
    const attempt = declined({ ...of, billing: FRIEND });
    const toldIn = ({ contacts, deliveries }: Awaited<ReturnType<typeof letArrive>>) => ({
      events: deliveries.flatMap((one) =>
        one.action === "event" ? [[one.eventName, one.state, one.sentTo?.email ?? null]] : [],
      ),
      bought: contacts.flatMap(({ email, properties }) => (properties.lastPurchaseAt ? [email] : [])),
    });

    it.each([
      ["the charge has another address", KIM],
      ["the charge has none", undefined],
    ] as const)("%s", async (_, billing) => {
      const payment = { ...of, ...(billing ? { billing } : {}) };
      const [intended, paidCharge] = [paid(of)[0], paid(payment)[1]];
      const webhooks = [nameless, attempt, intended, paidCharge, refunded(payment), later[0]] as PlannedWebhook[];
      const length = { minLength: webhooks.length, maxLength: webhooks.length };
      await fc.assert(
        fc.asyncProperty(
          fc.shuffledSubarray(webhooks, length),
          fc.array(fc.constantFrom(0, 1, 3_000), length),
          async (order, gaps) => {
            const { events, bought } = toldIn(await arrive(order, gaps));
            expect(events.filter(([, , email]) => email === FRIEND)).toEqual([
              ["paymentAttemptFailed", "done", FRIEND],
            ]);
            expect(events.filter(([, state]) => state === "done")).toHaveLength(billing ? 4 : 1);
            expect(bought).toEqual(billing ? [billing] : []);
          },
        ),
        { numRuns: inject("orders") },
      );
    });
  });

  it("a payment at a terminal without a customer makes no delivery", () => {
    expect(stripeWebhook("payment_intent.succeeded", intent({}, "card_present"), at(1)).deliveries).toEqual([]);
  });

  it("payment and dispute of a customer without an address go to the card's address, until the customer has one", async () => {
    const bench = await createBench();
    for (const webhook of paid({ customer: "cus_1", billing: "card@example.com" })) await bench.accept(webhook);
    const [dispute, warning] = later;
    await bench.deliveries((await bench.accept(dispute)).id);
    await bench.accept(customer);
    await bench.deliveries((await bench.accept(warning)).id);
    const told = bench.service.acted.flatMap(({ body }) => (body.eventName ? [[body.eventName, body.email]] : []));
    expect(told).toEqual([
      ["paymentSucceeded", "card@example.com"],
      ["disputeCreated", "card@example.com"],
      ["earlyFraudWarning", KIM],
    ]);
  });
});

describe("rows written by the links of a payment", () => {
  const rowsOf = async (...webhooks: readonly PlannedWebhook[]) => {
    const bench = await createBench();
    await bench.accept(customer);
    return (await countRows(bench, async () => void (await bench.acceptAll(webhooks)))).sql;
  };
  const withoutLinks = (webhook: PlannedWebhook | undefined) => ({ ...(webhook as PlannedWebhook), links: [] });

  it.each([
    ["one, where the charge has a customer and no address", { customer: "cus_1" }, 1],
    ["two, where the charge has an address", { customer: "cus_1", billing: KIM }, 2],
    ["none, where nothing is known", {}, 0],
  ] as const)("%s", async (_, payment, count) => {
    const [, succeeded] = paid(payment);
    const rows = await rowsOf(succeeded as PlannedWebhook);
    expect(rows - (await rowsOf(withoutLinks(succeeded)))).toBe(count);
  });

  it("one for both webhooks of a payment, whichever comes first", async () => {
    const both = paid({ customer: "cus_1" }).map((webhook) => ({ ...webhook, deliveries: [] }));
    const least = await rowsOf(...both.map(withoutLinks));
    expect((await rowsOf(...both)) - least).toBe(1);
    expect((await rowsOf(...both.toReversed())) - least).toBe(1);
  });

  it("are deleted when the payment cannot be disputed any more, and with the person", async () => {
    const refsIn = (bench: Awaited<ReturnType<typeof createBench>>) =>
      bench.inside((_, { storage }) =>
        storage.sql
          .exec<{ key: string }>("SELECT key FROM contacts WHERE key LIKE 'ref:%'")
          .toArray()
          .map(({ key }) => key),
      );
    const bench = await createBench();
    await bench.accept(customer);
    const now = bench.service.now();
    const [, succeeded] = paid({ customer: "cus_1" });
    await bench.accept({
      ...succeeded,
      links: (succeeded?.links ?? []).map((link) => ({ ...link, until: now + 400 * 24 * HOUR })),
    });
    expect(await refsIn(bench)).toEqual(["ref:stripe:cus_1", "ref:stripe:pi_1"]);
    const other = await createBench();
    await other.accept(customer);
    await other.accept(succeeded);
    await other.ask((outbox) => outbox.erase({ email: KIM }, Number.MAX_SAFE_INTEGER));
    expect(await refsIn(other)).toEqual([]);
    bench.service.offset = 399 * 24 * HOUR;
    await bench.ring();
    expect(await refsIn(bench)).toHaveLength(2);
    bench.service.offset = 402 * 24 * HOUR;
    await bench.ring();
    await bench.waitFor(async () => expect(await refsIn(bench)).toEqual(["ref:stripe:cus_1"]));
  });
});
