import { describe, expect, it } from "vitest";
import { signedSample } from "../../../scripts/samples/samples.ts";
import type { Env } from "../../../src/env.ts";
import { decodeWebhooks, type EncodedWebhooks, encodeResult } from "../../../src/outbox/intake/rpc-text.ts";
import type { PlannedWebhook, Receipt } from "../../../src/outbox/model/journal-types.ts";
import { door, routesOf } from "../../../src/routes/hooks.ts";

const hooks = routesOf(door);
const secret = "whsec_test";

const SUPABASE = `v1,whsec_${btoa("0123456789abcdef01234567")}`;

const doorOver = (...answers: ((webhook: PlannedWebhook) => unknown)[]) => {
  const accepted: PlannedWebhook[] = [];
  let stubs = 0;
  const env = {
    STRIPE_WEBHOOK_SECRET: `whsec_old ${secret}|whsec_older`,
    SUPABASE_HOOK_SECRET: SUPABASE,
    OUTBOX: {
      getByName: (name: string) => {
        expect(name).toBe("main");
        const answer = answers[stubs++];
        return {
          accept: async (...encoded: EncodedWebhooks) => {
            const webhooks = decodeWebhooks(...encoded);
            accepted.push(...webhooks);
            return encodeResult({ receipts: webhooks.map((webhook) => answer?.(webhook)) as Receipt[] });
          },
        };
      },
    },
  } as unknown as Env;
  const send = async (set: Record<string, unknown> = {}, signedWith = secret) => {
    const { raw, headers } = await signedSample("stripe", "invoice.paid", { secret: signedWith, now: Date.now(), set });
    return hooks.request("/stripe", { method: "POST", headers, body: raw }, env);
  };
  const askForMail = async (set: Record<string, unknown>) => {
    const sample = await signedSample("supabase", "send-email", { secret: SUPABASE, now: Date.now(), set });
    return hooks.request("/supabase", { method: "POST", headers: sample.headers, body: sample.raw }, env);
  };
  return { accepted, send, askForMail, stubs: () => stubs };
};

const receipt = () => ({ id: "wh_1", duplicate: false, deliveries: 1 });
const failing = (properties: object) => () => {
  throw Object.assign(new Error("disk full at /secret/path"), properties);
};

describe("the door", () => {
  it("passes the webhook and its deliveries to the Outbox in one delivery", async () => {
    const { accepted, send, stubs } = doorOver(receipt);
    const response = await send({ "data.object.billing_reason": "subscription_cycle" });
    expect([response.status, await response.json()]).toEqual([202, receipt()]);
    expect(stubs()).toBe(1);
    expect(accepted).toMatchObject([
      {
        source: "stripe",
        type: "invoice.paid",
        digest: false,
        deliveries: ["contact", "transactional", "event"].map((action) => ({
          action,
          key: expect.stringMatching(/^stripe\.evt_\w+\.[0-9a-f]{32}$/),
        })),
      },
    ]);
  });

  it("says why nothing is sent of a webhook that is test data", async () => {
    const response = await doorOver(receipt).send({ livemode: false });
    expect(await response.json()).toEqual({ ...receipt(), skipped: expect.stringContaining("Test data") });
  });

  it("refuses to take a mail that no rule sends, where the provider would take it for sent", async () => {
    const { accepted, askForMail } = doorOver(receipt);
    for (const set of [{ "email_data.email_action_type": "new_notification" }, { "user.email": "" }]) {
      const response = await askForMail(set);
      expect([response.status, await response.json()]).toMatchObject([422, { error: { code: "no_mail" } }]);
    }
    expect(accepted).toEqual([]);
    const notice = await askForMail({ "email_data.email_action_type": "password_changed_notification" });
    expect(notice.status).toBe(200);
    expect(accepted).toMatchObject([{ deliveries: [{ action: "transactional", template: "security-notice" }] }]);
  });

  it("accepts each of several secrets, and no other", async () => {
    expect((await doorOver(receipt).send({}, "whsec_old")).status).toBe(202);
    expect((await doorOver(receipt).send({}, "whsec_older")).status).toBe(202);
    const { accepted, send } = doorOver(receipt);
    expect((await send({}, "whsec_new")).status).toBe(401);
    expect(accepted).toEqual([]);
  });

  it("gives a webhook the same keys each time it arrives, one per rule and action; another webhook gets other keys", async () => {
    const { accepted, send } = doorOver(receipt, receipt, receipt);
    const renewal = { "data.object.billing_reason": "subscription_cycle" };
    await send({ id: "evt_a", ...renewal });
    await send({ id: "evt_a", ...renewal });
    await send({ id: "evt_b", ...renewal });
    const [first, again, other] = accepted.map(({ deliveries }) => deliveries.map(({ key }) => key));
    expect(again).toEqual(first);
    expect(other?.some((key) => first?.includes(key))).toBe(false);
  });

  it("asks the provider to retry when the journal cannot commit, and does not reveal the reason", async () => {
    const { send, stubs } = doorOver(failing({}));
    const response = await send();
    expect([response.status, response.headers.get("Retry-After")]).toEqual([503, "5"]);
    expect(await response.json()).toEqual({
      error: { code: "journal_unavailable", message: expect.not.stringContaining("disk") },
    });
    expect(stubs()).toBe(1);
  });

  it("retries once on a fresh stub where the platform allows it, but never during an overload", async () => {
    const retryable = doorOver(failing({ retryable: true }), receipt);
    expect((await retryable.send()).status).toBe(202);
    expect(retryable.stubs()).toBe(2);
    const twice = doorOver(failing({ retryable: true }), failing({ retryable: true }), receipt);
    expect((await twice.send()).status).toBe(503);
    const overloaded = doorOver(failing({ retryable: true, overloaded: true }), receipt);
    expect((await overloaded.send()).status).toBe(503);
    expect(overloaded.stubs()).toBe(1);
  });
});
