import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "../../scripts/bundle.ts";
import { startWorker } from "../../scripts/worker.ts";
import { until } from "./mailspan.ts";
import { startService } from "./service.ts";
import { type Json, stripeHeader, stripeWebhook } from "./signed.ts";

const root = join(import.meta.dirname, "..", "..");
const EU = "whsec_eu";
const US = "whsec_us";
const ADMIN_TOKEN = "test-admin-token-of-the-test";
const BOT = "bot@ours.example";

const startBridge = async (vars: Record<string, unknown>) => {
  const path = (to: string) => JSON.stringify(join(root, to));
  const entry = `
    import { Hono } from "hono";
    import { doorOf, routesOf } from ${path("src/routes/hooks.ts")};
    import { admin } from ${path("src/routes/admin.ts")};
    import stripe from ${path("src/mappings/stripe.ts")};
    export { Outbox } from ${path("src/outbox/outbox.ts")};
    const door = doorOf({
      "stripe-eu": { rules: stripe, secret: "STRIPE_EU" },
      "stripe-us": { rules: stripe, secret: "STRIPE_US" },
      "stripe-test": { rules: stripe, secret: "STRIPE_EU", testData: "deliver" },
      "stripe-shadow": { rules: stripe, secret: "STRIPE_EU", planOnly: true },
      "stripe-redacted": { rules: stripe, secret: "STRIPE_EU", redact: ["data.object.customer_name"] },
    });
    export default new Hono().route("/hooks", routesOf(door)).route("/admin", admin);`;
  const { url, stop } = await startWorker({
    script: await bundle({ text: entry, folder: root }),
    vars: {
      STRIPE_EU: EU,
      STRIPE_US: US,
      ADMIN_TOKEN,
      EMAIL_API_KEY: "k",
      TEMPLATES: { receipt: "tpl_receipt" },
      ...vars,
    },
    objects: { OUTBOX: "Outbox" },
  });
  const post = async (source: string, secret: string, change: (event: Json) => void = () => {}) => {
    const { payload } = stripeWebhook("invoice.paid", (event) => {
      event.data.object.billing_reason = "subscription_cycle";
      change(event);
    });
    const headers = stripeHeader(payload, { secret });
    const response = await fetch(`${url}/hooks/${source}`, { method: "POST", headers, body: payload });
    return { status: response.status, body: (await response.json()) as Json };
  };
  const webhook = async (id: string) =>
    (await (
      await fetch(`${url}/admin/webhooks/${id}`, { headers: { Authorization: `Bearer ${ADMIN_TOKEN}` } })
    ).json()) as Json;
  const settled = (id: string) =>
    until(`${id} is settled`, async () => {
      const shown = await webhook(id);
      const open = shown.deliveries.some(({ state }: { state: string }) => state === "waiting" || state === "sending");
      return open ? undefined : shown;
    });
  return { post, settled, webhook, stop };
};

let service: Awaited<ReturnType<typeof startService>>;
let bridge: Awaited<ReturnType<typeof startBridge>>;
let staging: Awaited<ReturnType<typeof startBridge>>;

beforeAll(async () => {
  service = await startService(() => "none");
  bridge = await startBridge({ EMAIL_API_URL: service.url });
  const lists = { ALLOWED_RECIPIENTS: "tester@example.org, @ours.example", IGNORED_RECIPIENTS: BOT };
  staging = await startBridge({ EMAIL_API_URL: service.url, ...lists });
});
afterAll(async () => {
  await bridge.stop();
  await staging.stop();
  service.stop();
});

describe("two sources of one provider", () => {
  it("each accept only webhooks signed with their own secret, and keep equal ids apart", async () => {
    const ids = [];
    for (const [source, own, other] of [
      ["stripe-eu", EU, US],
      ["stripe-us", US, EU],
    ] as const) {
      const refused = await bridge.post(source, other);
      expect([refused.status, refused.body.error.code]).toEqual([401, "invalid_signature"]);
      const same = (event: Json) => Object.assign(event, { id: "evt_of_both" });
      const accepted = await bridge.post(source, own, same);
      expect([accepted.status, accepted.body.duplicate]).toEqual([202, false]);
      ids.push(accepted.body.id);
    }
    expect(new Set(ids).size).toBe(2);
    const [eu, us] = await Promise.all(ids.map((id) => bridge.settled(id)));
    expect([eu.source, us.source]).toEqual(["stripe-eu", "stripe-us"]);
    expect(eu.deliveries[0].key).not.toBe(us.deliveries[0].key);
  });
});

describe("deliveries that must not be sent", () => {
  const test = (event: Json) => Object.assign(event, { livemode: false });

  it("a test-mode webhook is journaled, shown as test data, and sends no mail", async () => {
    const before = service.arrivals.length;
    const { status, body } = await bridge.post("stripe-eu", EU, test);
    expect(status).toBe(202);
    const shown = await bridge.settled(body.id);
    expect(shown.test).toBe(true);
    const skipped = { state: "skipped", message: expect.stringContaining("testData") };
    expect(shown.deliveries).toMatchObject([skipped, skipped, skipped]);
    await bridge.settled((await bridge.post("stripe-eu", EU)).body.id);
    expect(service.arrivals).toHaveLength(before + 3);
  });

  it('test data is delivered where the source has testData: "deliver"', async () => {
    const before = service.arrivals.length;
    const shown = await bridge.settled((await bridge.post("stripe-test", EU, test)).body.id);
    expect([shown.test, shown.deliveries[0].state]).toEqual([true, "done"]);
    expect(service.arrivals).toHaveLength(before + 3);
  });

  it("in plan-only mode all deliveries are planned and none is sent", async () => {
    const before = service.arrivals.length;
    const shown = await bridge.settled((await bridge.post("stripe-shadow", EU)).body.id);
    const skipped = { state: "skipped", message: expect.stringMatching(/plan.only/) };
    expect(shown.deliveries).toMatchObject([skipped, { ...skipped, template: "receipt" }, skipped]);
    expect(service.arrivals).toHaveLength(before);
  });

  it("with an allow-list, other recipients get no mail, nor does one of it who is ignored", async () => {
    const before = service.arrivals.length;
    const to = (email: string) => (event: Json) => Object.assign(event.data.object, { customer_email: email });
    const ends = [];
    for (const name of ["ada@example.com", "Tester@Example.org", "anyone@ours.example", "x@not-ours.example", BOT]) {
      const { body } = await staging.post("stripe-eu", EU, to(name));
      const { state, message } = (await staging.settled(body.id)).deliveries[0];
      ends.push([state, message?.split(" ")[0]]);
    }
    const notAllowed = ["skipped", "ALLOWED_RECIPIENTS"];
    const ignored = ["skipped", "IGNORED_RECIPIENTS"];
    expect(ends).toEqual([notAllowed, ["done", undefined], ["done", undefined], notAllowed, ignored]);
    expect(service.arrivals).toHaveLength(before + 6);
  });
});

describe("redaction by path", () => {
  it("erases the paths that the source names, once the deliveries are settled", async () => {
    const named = (event: Json) => Object.assign(event.data.object, { customer_name: "Ada Secretname" });
    const { body } = await bridge.post("stripe-redacted", EU, named);
    const shown = JSON.stringify(await bridge.settled(body.id));
    expect(shown).not.toContain("Secretname");
    expect(shown).toContain("[erased]");
  });
});
