import { describe, expect, it } from "vitest";
import { stripeApi } from "../../../../src/handlers/stripe/api.ts";
import { stripeThinEvents } from "../../../../src/handlers/stripe/thin-events.ts";
import { ProviderError } from "../../../../src/lib/webhook/provider.ts";
import clerk from "../../../../src/mappings/clerk.ts";
import stripe from "../../../../src/mappings/stripe.ts";
import { plan } from "../../../../src/rules/evaluate.ts";
import { type Source, settingsOf } from "../../../../src/sources.ts";
import type { Backfill } from "../../../../src/webhook.ts";

const backfill = stripeApi.backfill as Backfill;
const NOW = 1_760_000_000_000;
const DAY = 86_400;
const day = (n: number) => NOW / 1000 - n * DAY;
const customer = {
  id: "cus_1",
  object: "customer",
  created: day(9),
  livemode: true,
  email: "ada@example.com",
  metadata: {},
};
const subscription = {
  id: "sub_1",
  object: "subscription",
  created: day(40),
  livemode: true,
  customer: "cus_1",
  status: "active",
  items: { data: [{ id: "si_1", current_period_start: day(10), price: { id: "price_1", nickname: "Pro" } }] },
};

const apiOf = (answer: () => Response | Promise<Response>) => {
  const asked: { url: string; init: RequestInit }[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    return answer();
  };
  return { asked, api: { key: "rk_1", baseUrl: "https://api.stripe.test", fetch, now: Date.now } };
};

describe("a 404", () => {
  const find = (answer: () => Response) => Promise.resolve(stripeApi.fetchBack?.find("cus_1", apiOf(answer).api));

  it("of Stripe says that the customer does not exist", async () => {
    const answer = () => Response.json({ error: { code: "resource_missing" } }, { status: 404 });
    expect(await find(answer)).toEqual({ gone: "there is no such customer" });
  });

  it.each([
    ["a web page", () => new Response("<html>", { status: 404 })],
    ["an empty body", () => new Response(null, { status: 404 })],
    ["another object", () => Response.json({ status: "ok" }, { status: 404 })],
    ["a cut object", () => new Response('{"error":{"co', { status: 404 })],
  ])("of something in front of Stripe says nothing about the customer: %s", async (_, answer) => {
    await expect(find(answer)).rejects.toMatchObject({ name: "ProviderError", status: 404 });
  });
});

describe("the payer of a payment", () => {
  const find = (ref: string, ...answers: object[]) => {
    const { asked, api } = apiOf(() => Response.json(answers.shift() ?? {}));
    return Promise.resolve(stripeApi.fetchBack?.find(ref, api)).then((found) => ({
      found,
      urls: asked.map(({ url }) => url),
    }));
  };

  it("is the customer of a charge, and else the address in it", async () => {
    expect(await find("ch_1", { id: "ch_1", customer: "cus_1" }, customer)).toEqual({
      found: { email: "ada@example.com" },
      urls: ["https://api.stripe.test/v1/charges/ch_1", "https://api.stripe.test/v1/customers/cus_1"],
    });
    const guest = { id: "py_1", customer: null, billing_details: { email: "grace@example.com" } };
    expect((await find("py_1", guest)).found).toEqual({ email: "grace@example.com" });
    expect((await find("ch_1", { id: "ch_1" })).found).toEqual({});
  });

  it("of a payment intent is in its latest charge", async () => {
    const intent = { id: "pi_1", customer: null, latest_charge: { billing_details: { email: "grace@example.com" } } };
    expect(await find("pi_1", intent)).toEqual({
      found: { email: "grace@example.com" },
      urls: ["https://api.stripe.test/v1/payment_intents/pi_1?expand[]=latest_charge"],
    });
    await expect(find("pi_2", intent)).rejects.toThrow("Its answer is not the payment.");
  });
});

describe("the webhook that a backfill makes of an object", () => {
  it("has the type of the object's state and the time of its last known change", async () => {
    expect(await backfill.envelope(customer, NOW)).toMatchObject({
      type: "customer.updated",
      occurredAt: day(9) * 1000,
      test: false,
      id: expect.stringMatching(new RegExp(`^backfill:cus_1:${day(9)}:[0-9a-f]{12}$`)),
      body: { object: "event", type: "customer.updated", created: day(9), data: { object: customer } },
    });
    expect(await backfill.envelope(subscription, NOW)).toMatchObject({
      type: "customer.subscription.updated",
      occurredAt: day(10) * 1000,
    });
    const ended = { ...subscription, status: "canceled", canceled_at: day(5), ended_at: day(2) };
    expect(await backfill.envelope(ended, NOW)).toMatchObject({
      type: "customer.subscription.deleted",
      occurredAt: day(2) * 1000,
    });
    const product = { id: "prod_1", object: "product", created: day(30), updated: day(3), livemode: true, name: "Pro" };
    expect(await backfill.envelope(product, NOW)).toMatchObject({
      type: "product.updated",
      occurredAt: day(3) * 1000,
    });
    // Future times are ignored: the id must not depend on the time of the read.
    const planned = { ...subscription, start_date: day(-3) };
    expect((await backfill.envelope(planned, NOW)).occurredAt).toBe(day(10) * 1000);
    expect((await backfill.envelope({ ...customer, livemode: false }, NOW)).test).toBe(true);
  });

  it("has an equal id for equal content only", async () => {
    const id = async (object: object, now = NOW) => (await backfill.envelope(object, now)).id;
    expect(await id(customer, NOW + 1e9)).toBe(await id(customer));
    expect(await id({ ...customer, email: "ada@new.example.com" })).not.toBe(await id(customer));
  });

  it("has no former values, so that no rule takes it for a change", async () => {
    const { type, body, occurredAt, id } = await backfill.envelope(subscription, NOW);
    const { deliveries, outcomes } = plan(stripe, { source: "stripe", id, type, occurredAt, body });
    expect(deliveries.map(({ action, contact }) => [action, contact])).toEqual([["contact", { ref: "stripe:cus_1" }]]);
    expect(outcomes.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  });

  it.each([
    [null],
    ["cus_1"],
    [[]],
    [{}],
    [{ id: "cus_1" }],
    [{ ...customer, object: "charge" }],
    [{ ...customer, deleted: true }],
  ])("is refused for %j", async (object) => {
    await expect(backfill.envelope(object, NOW)).rejects.toThrow(/object|customer/);
  });
});

describe("a page of a backfill", () => {
  it("is requested with its start time and its position, and names the next page", async () => {
    const { api, asked } = apiOf(() =>
      Response.json({ data: [customer, { ...customer, id: "cus_2" }], has_more: true }),
    );
    expect(await backfill.page("customers", 1_700_000_000_999, undefined, api)).toMatchObject({ next: "cus_2" });
    await backfill.page("subscriptions", undefined, "sub_9", api);
    await backfill.page("products", 1_700_000_000_999, undefined, api);
    const urls = asked.map(({ url }) => new URL(url));
    expect(urls.map(({ pathname, searchParams }) => [pathname, Object.fromEntries(searchParams)])).toEqual([
      ["/v1/customers", { limit: "100", "created[gte]": "1700000000" }],
      ["/v1/subscriptions", { status: "all", limit: "100", starting_after: "sub_9" }],
      ["/v1/products", { limit: "100" }],
    ]);
    const last = apiOf(() => Response.json({ data: [customer], has_more: false }));
    expect(await backfill.page("customers", undefined, undefined, last.api)).toEqual({ objects: [customer] });
  });

  it.each([
    [() => Response.json({ error: {} }, { status: 404 }), 404],
    [() => Response.json({ object: "customer" }), 404],
    [() => new Response("<html>"), 200],
    [() => Response.json({}, { status: 403 }), 403],
    [() => Promise.reject(new TypeError("down at 10.0.0.1")), undefined],
  ])("that is not a list is an error with the status and without the key", async (answer, status) => {
    const error = await backfill.page("customers", undefined, undefined, apiOf(answer).api).then(
      () => undefined,
      (thrown: unknown) => thrown as ProviderError,
    );
    expect(error).toBeInstanceOf(ProviderError);
    expect(error?.status).toBe(status);
    expect(error?.message).not.toMatch(/rk_1|10\.0/);
  });

  it.each([
    ["7", 7_000],
    [new Date(0).toUTCString(), 0],
    ["soon", undefined],
  ])("has the time that Stripe asks to wait (%s)", async (given, retryAfter) => {
    const { api } = apiOf(() => new Response(null, { status: 429, headers: { "Retry-After": given } }));
    const asked = backfill.page("customers", undefined, undefined, api);
    await expect(asked).rejects.toMatchObject({ status: 429, retryAfter });
  });
});

describe("settings of sources", () => {
  const base = { rules: stripe, secret: "S" };
  it("have what the Outbox needs, and refuse invalid values", () => {
    const given: Record<string, Source> = {
      plain: { rules: clerk, secret: "S" },
      "stripe-eu": { ...base, fetchBack: { key: "STRIPE_EU_KEY", userId: "user_id" }, silentAfter: "6h" },
    };
    expect(settingsOf(given)).toEqual({
      plain: { secret: "S", templates: [{ rule: "welcome", template: "welcome" }] },
      "stripe-eu": {
        secret: "S",
        templates: expect.arrayContaining([{ rule: "checkout receipt", template: "receipt" }]),
        silentAfter: 21_600_000,
        fetchBack: {
          with: stripeApi.fetchBack,
          baseUrl: "https://api.stripe.com",
          key: "STRIPE_EU_KEY",
          url: "STRIPE_EU_URL",
          userIdField: "user_id",
        },
        thinEvents: {
          with: stripeThinEvents,
          baseUrl: "https://api.stripe.com",
          key: "STRIPE_EU_KEY",
          url: "STRIPE_EU_URL",
        },
      },
    });
    expect(() => settingsOf({ clerk: { rules: clerk, secret: "S", fetchBack: { key: "K" } } })).toThrow(
      /"clerk" has fetchBack/,
    );
    expect(() => settingsOf({ stripe: { ...base, silentAfter: "soon" } })).toThrow(/not a duration/);
  });
});
