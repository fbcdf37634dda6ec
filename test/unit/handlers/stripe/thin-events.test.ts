import Stripe from "stripe";
import { describe, expect, it } from "vitest";
import { stripeThinEvents } from "../../../../src/handlers/stripe/thin-events.ts";
import { stripe as handler } from "../../../../src/handlers/stripe.ts";
import type { Api } from "../../../../src/lib/webhook/provider.ts";
import { contextOf, verify } from "../../signed.ts";

const SECRET = "whsec_thin";
const api = new Stripe("sk_test_none");
const thin = {
  id: "evt_thin",
  object: "v2.core.event",
  type: "v1.customer.subscription.updated",
  livemode: true,
  created: "2026-11-20T10:00:00.789Z",
  related_object: { id: "sub_1", type: "subscription", url: "/v1/subscriptions/sub_1" },
};

const fetched = async (body: object, answers: Record<string, unknown>) => {
  const asked: { path: string; version: string | null }[] = [];
  const given: Api = {
    key: "rk_1",
    baseUrl: "https://api.stripe.com",
    now: () => 0,
    fetch: (url, init) => {
      const path = url.slice("https://api.stripe.com".length);
      asked.push({ path, version: new Headers(init.headers).get("Stripe-Version") });
      const found = answers[path];
      return Promise.resolve(Response.json(found ?? { error: { message: "no" } }, { status: found ? 200 : 404 }));
    },
  };
  return { result: await stripeThinEvents.fetch(body, given), asked };
};

it("the stripe package signs and reads a thin event as the bridge does", async () => {
  const payload = JSON.stringify(thin);
  const now = Math.floor(Date.now() / 1000) * 1000;
  const header = api.webhooks.generateTestHeaderString({ payload, secret: SECRET, timestamp: now / 1000 });
  expect(api.parseEventNotification(payload, header, SECRET)).toMatchObject({ id: "evt_thin", type: thin.type });
  const request = { raw: payload, headers: new Headers({ "stripe-signature": header }) };
  expect(await verify(handler.scheme, request, [SECRET], now, contextOf({}))).toBe(undefined);
  const changed = { ...request, raw: payload.replace("sub_1", "sub_2") };
  expect(await verify(handler.scheme, changed, [SECRET], now, contextOf({}))).toMatchObject({
    code: "invalid_signature",
  });
  expect(() => api.parseEventNotification(changed.raw, header, SECRET)).toThrow(/signature/i);
});

describe("the current object", () => {
  const event = {
    ...thin,
    changes: {
      before: { status: "trialing", metadata: { seats: "1" } },
      after: { status: "active", metadata: { seats: "2" } },
    },
  };
  // Since the event, the subscription was canceled.
  const object = { id: "sub_1", object: "subscription", status: "canceled", metadata: { seats: "3", team: "a" } };

  it("is set back to what the event changed, in the version of the installed package", async () => {
    const { result, asked } = await fetched(thin, {
      "/v2/core/events/evt_thin": event,
      "/v1/subscriptions/sub_1": object,
    });
    expect(result).toMatchObject({
      type: "customer.subscription.updated",
      occurredAt: Date.UTC(2026, 10, 20, 10),
      body: {
        object: "event",
        type: "customer.subscription.updated",
        created: Date.UTC(2026, 10, 20, 10) / 1000,
        livemode: true,
        data: {
          object: { id: "sub_1", status: "active", metadata: { seats: "2", team: "a" } },
          previous_attributes: { status: "trialing", metadata: { seats: "1" } },
        },
      },
    });
    expect(asked.map(({ version }) => version)).toEqual([api.getApiField("version"), api.getApiField("version")]);
  });

  it("is used where the event is older than 30 days, without its changes", async () => {
    const { result } = await fetched({ ...thin, snapshot_event: "evt_old" }, { "/v1/subscriptions/sub_1": object });
    expect(result).toMatchObject({ body: { data: { object } } });
    expect(result).not.toHaveProperty("body.data.previous_attributes");
  });

  it("has the id of the snapshot event that the event names, though that cannot be read", async () => {
    const named = (snapshot_event: unknown) =>
      fetched(thin, {
        "/v2/core/events/evt_thin": { ...event, snapshot_event },
        "/v1/subscriptions/sub_1": object,
      });
    expect((await named("evt_1")).result).toMatchObject({ id: "evt_1", body: { object: "event" } });
    for (const other of [12, "", "../../v1/customers/cus_1", `evt_${"x".repeat(5_000)}`, null])
      expect((await named(other)).result).not.toHaveProperty("id");
  });

  it("of an event that names none has no data, but for a snapshot event", async () => {
    const { related_object: _, ...upcoming } = { ...thin, type: "v1.invoice.upcoming" };
    expect((await fetched(upcoming, {})).result).toEqual({ gone: expect.stringContaining("names no object") });
    const snapshot = { id: "evt_1", type: "invoice.upcoming", created: 1_700_000_000, data: { object: { total: 1 } } };
    const { result, asked } = await fetched(upcoming, {
      "/v2/core/events/evt_thin": { ...upcoming, snapshot_event: "evt_1" },
      "/v1/events/evt_1": snapshot,
    });
    expect(result).toEqual({
      id: "evt_1",
      type: "invoice.upcoming",
      occurredAt: 1_700_000_000_000,
      body: snapshot,
    });
    expect(asked.map(({ path }) => path)).toEqual(["/v2/core/events/evt_thin", "/v1/events/evt_1"]);
  });

  it("of a deleted customer is its deletion, and of another event nothing", async () => {
    const deleted = { id: "cus_1", object: "customer", deleted: true };
    const about = { ...thin, related_object: { id: "cus_1", type: "customer", url: "/v1/customers/cus_1" } };
    const answers = { "/v1/customers/cus_1": deleted };
    const { result } = await fetched({ ...about, type: "v1.customer.deleted" }, answers);
    expect(result).toMatchObject({ type: "customer.deleted", body: { data: { object: deleted } } });
    expect((await fetched({ ...about, type: "v1.customer.updated" }, answers)).result).toEqual({
      gone: "the customer was deleted since",
    });
  });
});
