import { describe, expect, test } from "vitest";
import { assign } from "../../../scripts/samples/assign.ts";
import { sampleBody } from "../../../scripts/samples/samples.ts";
import clerk from "../../../src/mappings/clerk.ts";
import generic from "../../../src/mappings/generic.ts";
import stripe from "../../../src/mappings/stripe.ts";
import supabase from "../../../src/mappings/supabase.ts";
import { LINKS, plan } from "../../../src/rules/evaluate.ts";
import type { RuleSet } from "../../../src/rules/types.ts";
import { sources } from "../../../src/sources.ts";

const MAPPINGS: Record<string, RuleSet> = { stripe, clerk, supabase, generic };
/** When the samples are sent: when Supabase's say that it happened. */
const SENT = Date.UTC(2025, 10, 12, 12);

/** What a mapping plans for a sample, with some of its values changed. */
const planOf = async (source: string, type: string, changes: Record<string, unknown> = {}) => {
  const json = sampleBody(source, type);
  for (const [path, value] of Object.entries(changes)) assign(json, path, value);
  const ruleSet = MAPPINGS[source];
  if (!ruleSet) throw new Error(`no mapping ${source}`);
  const headers = new Headers({ "svix-id": "msg_1", "webhook-id": "msg_1" });
  const envelope = await ruleSet.handler.read(
    { method: "POST", url: "https://bridge.test/hooks/source", headers, raw: JSON.stringify(json) },
    json,
    SENT,
  );
  return plan(ruleSet, { ...envelope, source });
};

const ALL = Object.entries(sources).flatMap(([name, { rules }]) => (rules ? [[name, rules] as const] : []));

// What each makes of its fixtures is in their golden files: check.test.ts compares them.
describe.each(ALL)("%s", (_name, { rules }) => {
  test("names its rules once each, and none as the outcome of links", () => {
    const names = rules.map((rule) => rule.name);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain(LINKS);
  });

  test("names properties in camelCase, and leaves the choice of who is subscribed alone", () => {
    for (const { update, event, transactional } of rules) {
      const names = [update, event?.properties, transactional?.variables].flatMap((table) => Object.keys(table ?? {}));
      for (const name of [...names, event?.name ?? "x"]) expect(name).toMatch(/^[a-z][a-zA-Z0-9]*$/);
      expect(names).not.toContain("subscribed");
      expect(names).not.toContain("mailingLists");
    }
  });
});

describe("stripe", () => {
  const receipts = async (type: string, changes?: Record<string, unknown>) =>
    (await planOf("stripe", type, changes)).calls.filter((call) => call.action === "transactional").length;

  test("one purchase, one receipt", async () => {
    expect(await receipts("checkout.session.completed")).toBe(1);
    expect(await receipts("invoice.paid", { "data.object.billing_reason": "subscription_create" })).toBe(0);
    expect(await receipts("invoice.paid", { "data.object.billing_reason": "manual" })).toBe(0);
    expect(await receipts("invoice.paid")).toBe(1);
    expect(await receipts("invoice.paid", { "data.object.amount_paid": 0 })).toBe(0);
  });

  test("no receipt before the money, or for none", async () => {
    const unpaid = { "data.object.payment_status": "unpaid" };
    expect(await receipts("checkout.session.completed", unpaid)).toBe(0);
    expect(await receipts("checkout.session.completed", { type: "checkout.session.async_payment_succeeded" })).toBe(1);
    expect(await receipts("checkout.session.completed", { "data.object.amount_total": 0 })).toBe(0);
    expect(await receipts("checkout.session.completed", { "data.object.amount_total": null })).toBe(0);
  });

  test("a one-time purchase in yen by a guest", async () => {
    const { calls, links } = await planOf("stripe", "checkout.session.completed", {
      "data.object.amount_total": 4900,
      "data.object.currency": "jpy",
      "data.object.customer": null,
      "data.object.customer_details": null,
      "data.object.customer_email": "grace@example.com",
      "data.object.invoice": null,
      "data.object.metadata": {},
      "data.object.mode": "payment",
      "data.object.payment_intent": "pi_1",
    });
    expect(links).toEqual([]);
    expect(calls.map((call) => call.contact)).toEqual(Array(3).fill({ email: "grace@example.com" }));
    expect(calls[0]).toHaveProperty("properties", {
      lastPurchaseAt: "2025-11-12T12:00:00.000Z",
      lastPurchaseAmount: 4900,
    });
    expect(calls[2]).toHaveProperty("dataVariables", {
      name: "there",
      amount: "¥4,900",
      description: "Purchase",
      date: "November 12, 2025",
      reference: "pi_1",
    });
  });

  test("a purchase that is not paid yet is none; it is one when the money came", async () => {
    const { calls } = await planOf("stripe", "checkout.session.completed", { "data.object.payment_status": "unpaid" });
    expect(calls).toEqual([]);
    const paid = { type: "checkout.session.async_payment_succeeded", "data.object.payment_status": "paid" };
    const later = await planOf("stripe", "checkout.session.completed", paid);
    expect(later.calls.map(({ action }) => action)).toEqual(["contact", "event", "transactional"]);
  });

  test("a checkout without an address is about its customer", async () => {
    const { calls, outcomes } = await planOf("stripe", "checkout.session.completed", {
      "data.object.customer": "cus_9",
      "data.object.customer_details": null,
      "data.object.customer_email": null,
    });
    expect(calls.map(({ contact }) => contact)).toEqual(Array(3).fill({ ref: "stripe:cus_9" }));
    expect(outcomes.every(({ outcome }) => outcome === "matched")).toBe(true);
  });

  test("an amount that is no number makes no mail", async () => {
    const { calls, outcomes } = await planOf("stripe", "checkout.session.completed", {
      "data.object.amount_total": Number.POSITIVE_INFINITY,
    });
    expect(calls).toEqual([]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["failed", "failed"]);
  });

  test("saving a card sells nothing", async () => {
    const changes = { "data.object.mode": "setup", "data.object.amount_total": null, "data.object.currency": null };
    expect((await planOf("stripe", "checkout.session.completed", changes)).calls).toEqual([]);
  });

  test("a customer without an address is no contact, and not a failure", async () => {
    expect(await planOf("stripe", "customer.created", { "data.object.email": null })).toEqual({
      calls: [],
      outcomes: [
        { rule: "customer created", outcome: "not matched", clause: expect.stringContaining("data.object.email") },
      ],
      links: [],
    });
  });

  test("an invoice without an address is about its customer", async () => {
    for (const type of ["invoice.paid", "invoice.payment_failed"]) {
      const { calls } = await planOf("stripe", type, { "data.object.customer_email": null });
      expect(calls.map((call) => call.contact)).toEqual([{ ref: "stripe:cus_TQ7rX2vLk9WbNd" }]);
    }
  });

  test("the plan and the period of older API versions, and of a price without a name", async () => {
    const item = { price: { id: "price_1", nickname: null, lookup_key: null } };
    const { calls } = await planOf("stripe", "customer.subscription.created", {
      "data.object": {
        customer: "cus_1",
        items: { data: [item] },
        current_period_end: 1_767_225_600,
        status: "trialing",
      },
    });
    expect(calls[0]).toHaveProperty("properties", {
      plan: "price_1",
      subscriptionStatus: "trialing",
      currentPeriodEnd: "2026-01-01T00:00:00.000Z",
    });
  });
});

describe("clerk", () => {
  test("a person who signed up by phone has no address to write to", async () => {
    const { calls, outcomes, links } = await planOf("clerk", "user.created", {
      "data.email_addresses": [],
      "data.primary_email_address_id": null,
    });
    expect([calls, links]).toEqual([[], []]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["not matched", "not matched", "not matched"]);
  });

  test("the primary of several addresses; a name taken back is cleared", async () => {
    const addresses = [
      { id: "idn_1", email_address: "old@example.com" },
      { id: "idn_2", email_address: "new@example.com" },
    ];
    const { calls, links } = await planOf("clerk", "user.updated", {
      "data.email_addresses": addresses,
      "data.primary_email_address_id": "idn_2",
      "data.first_name": null,
    });
    expect(links).toEqual([{ email: "new@example.com", userId: "user_35Lm8QzXcVbNmAsDfGhJkLpOiUy" }]);
    expect(calls[0]).toMatchObject({ contact: links[0], properties: { firstName: null, lastName: "King" } });
  });

  test("joining the waitlist makes a contact", async () => {
    const { calls } = await planOf("clerk", "user.created", {
      type: "waitlistEntry.created",
      data: { object: "waitlist_entry", id: "waitlist_1", email_address: "ada@example.com", status: "pending" },
    });
    const about = { rule: "waitlist joined", contact: { email: "ada@example.com" } };
    expect(calls).toEqual([
      { ...about, action: "contact", properties: {} },
      { ...about, action: "event", eventName: "waitlistJoined", eventProperties: {} },
    ]);
  });
});

describe("supabase", () => {
  test("ties an address to a user id only once it is shown to be theirs", async () => {
    const contacts = async (confirmed: string | null) =>
      (await planOf("supabase", "send-email", { "user.email_confirmed_at": confirmed })).calls.map(
        ({ contact }) => contact,
      );
    expect(await contacts("2026-01-01T00:00:00Z")).toContainEqual(
      expect.objectContaining({ userId: expect.any(String) }),
    );
    expect(await contacts(null)).toEqual(Array(3).fill({ email: "ada@example.com" }));
  });

  test("a hook without redirect_to has a link without it", async () => {
    const { calls } = await planOf("supabase", "send-email", { "email_data.redirect_to": null });
    expect(JSON.stringify(calls)).toMatch(/&type=magiclink"/);
  });

  const mails = async (changes: Record<string, unknown>) =>
    (await planOf("supabase", "send-email", changes)).calls.flatMap((call) =>
      call.action === "transactional" ? [{ to: call.contact.email, ...call.dataVariables }] : [],
    );
  const change = {
    "email_data.email_action_type": "email_change",
    "email_data.token": '"111111"',
    "email_data.token_hash": "hash-of-new",
    "email_data.redirect_to": "",
    user: { id: "u1", email: "old@example.com", new_email: "new@example.com" },
  };
  const link = (hash: string) =>
    `https://abcdefghijklmnopqrst.supabase.co/auth/v1/verify?token=${hash}&type=email_change`;

  test("a secure change of address: each address gets its own code and link", async () => {
    const secure = { ...change, "email_data.token_new": '"222222"', "email_data.token_hash_new": "hash-of-current" };
    expect(await mails(secure)).toMatchObject([
      { to: "old@example.com", code: "111111", link: link("hash-of-current") },
      { to: "new@example.com", code: "222222", link: link("hash-of-new") },
    ]);
  });

  test("with secure change off, the new address alone, with the code in token", async () => {
    expect(await mails(change)).toMatchObject([{ to: "new@example.com", code: "111111", link: link("hash-of-new") }]);
  });

  test.each(["signup", "magiclink", "recovery", "invite", "email", "reauthentication"])(
    "%s sends one mail",
    async (action) => {
      const sent = await mails({ "email_data.email_action_type": action });
      expect(sent).toHaveLength(1);
      expect(Object.values(sent[0] ?? {}).every((text) => typeof text === "string" && text !== "")).toBe(true);
    },
  );

  test.each(["password_changed_notification", "constructor", ""])("%o sends none", async (action) => {
    expect(await mails({ "email_data.email_action_type": action })).toEqual([]);
  });

  test("the link is made from a site with and without the path, and keeps every character of the redirect", async () => {
    const redirect = "https://app.example.com/a?b=c&d=ü#e";
    for (const site of ["http://localhost:9999", "http://localhost:9999/", "http://localhost:9999/auth/v1/"]) {
      const [mail] = await mails({ "email_data.site_url": site, "email_data.redirect_to": redirect });
      const url = new URL(String((mail as { link?: string }).link));
      expect(`${url.origin}${url.pathname}`).toBe("http://localhost:9999/auth/v1/verify");
      expect(url.searchParams.get("redirect_to")).toBe(redirect);
      expect(url.searchParams.get("type")).toBe("magiclink");
    }
  });

  test("reauthentication has a code and no link to verify", async () => {
    const reauthentication = { "email_data.email_action_type": "reauthentication" };
    expect(await mails(reauthentication)).toMatchObject([{ link: "https://app.example.com/welcome", code: "305805" }]);
    expect(await mails({ ...reauthentication, "email_data.redirect_to": "" })).toMatchObject([
      { link: "https://abcdefghijklmnopqrst.supabase.co/auth/v1" },
    ]);
  });

  test("a user is created after, not before", async () => {
    const { user } = sampleBody("supabase", "send-email");
    const hook = (name: string) => planOf("supabase", "send-email", { "metadata.name": name, user });
    expect(await hook("before-user-created")).toMatchObject({ calls: [], outcomes: [] });
    expect((await hook("after-user-created")).calls).toMatchObject([
      { action: "contact", contact: { email: "ada@example.com" }, properties: {} },
      { action: "event", eventName: "userCreated" },
    ]);
  });
});
