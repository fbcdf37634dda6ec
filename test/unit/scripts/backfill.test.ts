import { describe, expect, it, vi } from "vitest";
import { batchesOf } from "../../../scripts/backfill/bridge.ts";
import { again } from "../../../scripts/backfill/retry-request.ts";
import type { Env } from "../../../src/env.ts";
import { generic } from "../../../src/handlers/generic.ts";
import { stripe as stripeHandler } from "../../../src/handlers/stripe.ts";
import type { PlannedWebhook } from "../../../src/outbox/model/journal-types.ts";
import { createAdmin } from "../../../src/routes/admin.ts";
import { customer as customerOf } from "../../../src/rules/people/customer.ts";
import { rules } from "../../../src/rules/types.ts";
import type { Source } from "../../../src/sources.ts";

vi.spyOn(console, "log").mockImplementation(() => {});

const all = rules(
  stripeHandler,
  [
    {
      name: "everything",
      on: "customer.updated",
      contact: { email: (e) => e.data.object.email },
      update: { plan: "pro" },
      event: { name: "customerSeen" },
      transactional: { template: "receipt" },
      remove: "delete",
    },
    {
      name: "throws",
      on: "customer.subscription.updated",
      contact: (e) => customerOf(e.data.object.customer),
      update: {
        plan: () => {
          throw new Error("no plan");
        },
      },
    },
  ],
  (e) =>
    e.type === "customer.updated" && e.data.object.email ? [{ ref: e.data.object.id, email: e.data.object.email }] : [],
);
const sources: Record<string, Source> = {
  stripe: { rules: all, secret: "S" },
  planOnly: { rules: all, secret: "S", planOnly: true },
  generic: { handler: generic, secret: "S" },
};

const customer = { id: "cus_1", object: "customer", created: 1_700_000_000, livemode: true, email: "ada@example.com" };
const subscription = { id: "sub_1", object: "subscription", created: 1_700_000_000, livemode: true, customer: "cus_1" };

const bridge = (taken?: object) => {
  const batches: PlannedWebhook[][] = [];
  const backfill = async (webhooks: PlannedWebhook[]) => {
    batches.push(webhooks);
    return taken ?? { receipts: webhooks.map((_, i) => ({ id: `wh_${i}`, duplicate: false, deliveries: 1 })) };
  };
  const env = {
    ADMIN_TOKEN: "an-admin-token-of-the-tests",
    OUTBOX: { getByName: () => ({ backfill }) },
  } as unknown as Env;
  const post = async (body: unknown, path = "/stripe") => {
    const init = {
      method: "POST",
      headers: { Authorization: "Bearer an-admin-token-of-the-tests" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    };
    const response = await createAdmin(sources).request(`/backfill${path}`, init, env);
    return {
      status: response.status,
      headers: response.headers,
      json: (await response.json()) as Record<string, unknown>,
    };
  };
  return { batches, post };
};

describe("POST /admin/backfill/:source", () => {
  it("makes only contact updates, in the lowest lane, and names the deliveries each rule left out", async () => {
    const { batches, post } = bridge();
    const { status, json } = await post({ objects: [customer] });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      objects: 1,
      accepted: 1,
      duplicate: 0,
      nothing: 0,
      deliveries: { contact: 1, event: 0 },
      failed: 0,
    });
    expect(batches).toMatchObject([
      [
        {
          source: "stripe",
          lane: "backfill",
          type: "customer.updated",
          occurredAt: 1_700_000_000_000,
          deliveries: [{ action: "contact", properties: { plan: "pro" } }],
          links: [{ ref: "stripe:cus_1", email: "ada@example.com" }],
          outcomes: [
            { rule: "everything", outcome: "matched", message: expect.stringContaining("contact updates only") },
          ],
        },
      ],
    ]);
  });

  it("makes events if asked, as another webhook; never mail or deletions", async () => {
    const { batches, post } = bridge();
    await post({ objects: [customer] });
    await post({ objects: [customer], events: true });
    const [without, withEvents] = batches.map(([webhook]) => webhook as PlannedWebhook);
    expect(withEvents?.deliveries.map(({ action }) => action)).toEqual(["contact", "event"]);
    expect(withEvents?.eventId).toBe(`${without?.eventId}:events`);
    expect(withEvents?.deliveries[0]?.key).not.toBe(without?.deliveries[0]?.key);
  });

  it("adds nothing to the journal in a dry run or without a delivery, and names the rules that failed", async () => {
    const { batches, post } = bridge();
    const objects = [customer, { ...customer, id: "cus_2", email: null }, subscription];
    const dry = await post({ objects, dryRun: true });
    expect(batches).toEqual([]);
    const counts = { objects: 3, accepted: 1, nothing: 2, deliveries: { contact: 1, event: 0 }, failed: 2 };
    expect(dry.json).toMatchObject({ ...counts, dryRun: true });
    const real = await post({ objects });
    expect(real.json).toMatchObject({ ...counts, dryRun: false });
    expect(real.json.failures).toContainEqual({
      event: expect.stringMatching(/^backfill:sub_1:/),
      rule: "throws",
      message: "no plan",
    });
    expect(batches).toHaveLength(1);
  });

  it("obeys plan-only mode and test data of the source", async () => {
    const { batches, post } = bridge();
    expect((await post({ objects: [customer] }, "/planOnly")).json).toMatchObject({ accepted: 1, skipped: 1 });
    expect((await post({ objects: [{ ...customer, livemode: false }] })).json).toMatchObject({
      accepted: 1,
      skipped: 1,
    });
    expect(batches.flat().map(({ skip }) => skip)).toEqual([
      expect.stringMatching(/plan.only/),
      expect.stringContaining("Test data"),
    ]);
  });

  it("answers 503 with Retry-After while the backlog is full", async () => {
    const { post } = bridge({ overload: { message: "20000 deliveries wait.", retryAfter: 30 } });
    const { status, headers, json } = await post({ objects: [customer] });
    expect([status, headers.get("Retry-After"), json]).toEqual([
      503,
      "30",
      { success: false, code: "overloaded", message: "20000 deliveries wait." },
    ]);
  });

  it.each<[string, unknown, number, string, string?]>([
    ["an unknown source", { objects: [customer] }, 404, "There is no source", "/nobody"],
    ["a name that every object has", { objects: [customer] }, 404, "There is no source", "/constructor"],
    ["a provider that cannot be read", { objects: [customer] }, 400, "Possible: stripe, planOnly", "/generic"],
    ["no JSON", "{", 400, "not valid JSON"],
    ["a list", [customer], 400, "must be a JSON object"],
    ["no objects", {}, 400, "objects is required"],
    ["an empty list", { objects: [] }, 400, "objects must be a list of 1 to 200"],
    ["too many", { objects: Array.from({ length: 201 }, () => customer) }, 400, "objects must be a list of 1 to 200"],
    ["a text", { objects: "all" }, 400, "objects must be a list"],
    [
      "an object of another provider",
      { objects: [customer, { id: "ch_1", object: "charge" }] },
      400,
      "objects.1: The object",
    ],
    ["a misspelled field", { objects: [customer], event: true }, 400, "event: is not a field"],
    ["a flag that is not boolean", { objects: [customer], dryRun: "maybe" }, 400, "dryRun must be true or false"],
    [
      "a parameter in the address",
      { objects: [customer] },
      400,
      "events: send the fields of a POST in its body",
      "/stripe?events=1",
    ],
    [
      "a body that is too large",
      JSON.stringify({ objects: ["x".repeat(4_000_001)] }),
      413,
      "larger than 4000000 bytes",
    ],
  ])("refuses %s, and does nothing", async (_, body, status, message, path) => {
    const { batches, post } = bridge();
    const came = await post(body, path);
    expect([came.status, came.json]).toMatchObject([
      status,
      { success: false, code: expect.any(String), message: expect.stringContaining(message) },
    ]);
    expect(batches).toEqual([]);
  });
});

describe("the command", () => {
  it("splits objects into requests under the limit, in their order", () => {
    const objects = Array.from({ length: 30 }, (_, n) => ({ n, text: "x".repeat(n === 7 ? 2_000_000 : 90_000) }));
    const batches = batchesOf(objects);
    expect(batches.flat()).toEqual(objects);
    expect(batches.length).toBeGreaterThan(3);
    for (const batch of batches) expect(batch.length === 1 || JSON.stringify(batch).length < 1_100_000).toBe(true);
    expect(batchesOf([])).toEqual([]);
  });

  it("repeats with longer and longer waits, then gives up; a wait that the bridge asked for does not count", async () => {
    const waits: number[] = [];
    const io = { sleep: async (ms: number) => void waits.push(ms), print: () => {} };
    let attempts = 0;
    expect(
      await again(async () => (++attempts > 20 ? { value: "at last" } : { again: "busy", wait: 30_000 }), io),
    ).toBe("at last");
    expect(waits).toEqual(Array.from({ length: 20 }, () => 30_000));
    waits.length = 0;
    await expect(again(async () => ({ again: "down." }), io)).rejects.toThrow(
      "down. Given up after 8 attempts; --resume continues.",
    );
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });
});
