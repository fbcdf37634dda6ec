import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkedAnswer } from "../bridge-answer.ts";
import { type Clone, cloneRepository, keepReceiptsOnly, startMailspanOf } from "./clone.ts";
import { type Mailspan, type Shown, secrets, until } from "./mailspan.ts";
import { genericWebhook, type Signed, stripeWebhook } from "./signed.ts";

let clone: Clone;
let mailspan: Mailspan;

type Json = Record<string, unknown>;

const post = async (path: string, body: object = {}): Promise<{ status: number; json: Json }> => {
  const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` };
  const response = await fetch(`${mailspan.url}/admin${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  const json = (await response.json()) as Json;
  return { status: response.status, json: checkedAnswer("POST", path, response.status, json) };
};
const get = async (path: string): Promise<Json> => {
  const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` };
  const response = await fetch(`${mailspan.url}/admin${path}`, { headers });
  return checkedAnswer("GET", path, response.status, (await response.json()) as Json);
};

const send = async (source: string, { payload, headers }: Signed): Promise<Shown> => {
  const { id } = (await (await mailspan.post(source, payload, headers)).json()) as { id: string };
  return mailspan.settled(id);
};
const renewal = (email: string) =>
  stripeWebhook("invoice.paid", ({ data }) => {
    Object.assign(data.object, { customer_email: email, billing_reason: "subscription_cycle" });
  });
const mailsTo = async (email: string) => (await mailspan.inbox()).mails.filter(({ to }) => to === email);

const deploy = async (change: (rules: string) => string, vars: Record<string, unknown> = {}) => {
  const mapping = join(clone.path, "src", "mappings", "stripe", "invoices.ts");
  await writeFile(mapping, change(await readFile(mapping, "utf8")));
  await mailspan.restart({ bridgeVars: { ...secrets, EMAIL_API_KEY: mailspan.key, ...vars } });
};

beforeAll(async () => {
  clone = await cloneRepository();
  await keepReceiptsOnly(clone);
  mailspan = await startMailspanOf(clone);
});
afterAll(async () => {
  await mailspan?.stop();
  await clone?.remove();
});

describe("a failed delivery", () => {
  it("sends exactly one mail when it is retried after its template was corrected", async () => {
    await deploy((rules) => rules, { TEMPLATES: { receipt: "tpl_misspelled" } });
    const { deliveries } = await send("stripe", renewal("retry@example.com"));
    expect(deliveries).toMatchObject([{ state: "failed" }]);
    const { id } = deliveries[0] as unknown as { id: string };
    expect(await get("/deliveries?state=attention")).toMatchObject({ data: [{ id }] });

    await deploy((rules) => rules);
    expect(await post(`/deliveries/${id}/retry`)).toMatchObject({ status: 200, json: { id, state: "waiting" } });
    await mailspan.allSettled();
    expect(await mailsTo("retry@example.com")).toHaveLength(1);
    expect(await post(`/deliveries/${id}/retry`)).toMatchObject({ status: 409, json: { code: "not_retryable" } });
    expect(await get("/deliveries?state=attention")).toMatchObject({ data: [] });
  });

  it("is sent a second time only after confirmation", async () => {
    const { deliveries } = await send("stripe", renewal("again@example.com"));
    const { id } = deliveries[0] as unknown as { id: string };
    const asked = await post(`/deliveries/${id}/send-again`);
    expect(asked).toMatchObject({ status: 409, json: { code: "confirmation_needed" } });
    expect(await mailsTo("again@example.com")).toHaveLength(1);
    expect(await post(`/deliveries/${id}/send-again`, { confirm: true })).toMatchObject({ status: 200 });
    await mailspan.allSettled();
    expect(await mailsTo("again@example.com")).toHaveLength(2);
  });
});

describe("replay", () => {
  it("with mail allowed, of a corrected rule that had thrown, sends exactly one mail", async () => {
    const good = 'name: (e) => e.data.object.customer_name ?? "there",';
    const bad = "name: (e) => (e.data.object as unknown as { who: { name: string } }).who.name,";
    await deploy((rules) => {
      expect(rules).toContain(good);
      return rules.replaceAll(good, bad);
    });
    const { id, deliveries, outcomes } = await send("stripe", renewal("fixed@example.com"));
    expect(deliveries).toEqual([]);
    expect(outcomes).toContainEqual(expect.objectContaining({ outcome: "failed" }));

    await deploy((rules) => rules.replaceAll(bad, good));
    const mail = { actions: ["transactional"] };
    expect(await post(`/webhooks/${id}/replay`, mail)).toMatchObject({ json: { dryRun: true, deliveries: 1 } });
    expect(await mailsTo("fixed@example.com")).toHaveLength(0);
    for (let n = 0; n < 3; n++) await post(`/webhooks/${id}/replay`, { ...mail, dryRun: false });
    await mailspan.allSettled();
    expect(await mailsTo("fixed@example.com")).toHaveLength(1);
  });

  it("of a whole day, with mail not allowed, sends no mail", async () => {
    await send("stripe", stripeWebhook("checkout.session.completed"));
    const before = await mailspan.inbox();
    expect(before.total).toBeGreaterThanOrEqual(4);
    const { json: dry } = await post("/replay", { since: "1d" });
    expect(dry).toMatchObject({ dryRun: true, next: null, byAction: { contact: expect.any(Number) } });
    expect(dry.notMade).toMatchObject({ "sent already": expect.any(Number) });
    const { json: real } = await post("/replay", { since: "1d", dryRun: false });
    expect(real).toMatchObject({ dryRun: false, deliveries: dry.deliveries, byAction: dry.byAction });
    await mailspan.allSettled();
    expect(await mailspan.inbox()).toEqual(before);
  });
});

describe("erase", () => {
  it("erases a person from the journal, and on request from the email service", async () => {
    const user = { id: "user_erase_1", email: "erase@example.com", firstName: "Zebedee" };
    const webhook = await send("generic", genericWebhook({ type: "user.created", data: user }));
    // Through the bridge, so that all requests share one rate limit.
    mailspan.client.apiRoot = `${mailspan.url}/`;
    expect(await mailspan.client.findContact({ email: user.email })).toHaveLength(1);
    expect(JSON.stringify(await mailspan.webhook(webhook.id))).toContain("Zebedee");
    const dataVariables = { name: "Zebedee" };
    await mailspan.client.sendTransactionalEmail({ transactionalId: "tpl_welcome", email: user.email, dataVariables });
    const mails = async () => (await mailsTo(user.email)).length;
    const captured = await until("the mail is captured", async () => (await mails()) || undefined);
    const service = { contacts: 1, events: 1, sends: captured, discarded: 0, mails: captured };

    const dry = await post("/erase", { email: "Erase@example.com", dryRun: true });
    const left = expect.arrayContaining([expect.stringContaining("email service")]);
    expect(dry.json).toMatchObject({ dryRun: true, notReached: left });
    expect(dry.json).not.toHaveProperty("service");
    const both = await post("/erase", { email: "Erase@example.com", dryRun: true, service: true });
    expect(both.json).toMatchObject({ dryRun: true, reached: [{ email: user.email }, { userId: user.id }] });
    expect(both.json.service).toEqual(service);
    expect(await mails()).toBe(captured);
    const { json } = await post("/erase", { email: "Erase@example.com", service: true });
    expect(json).not.toHaveProperty("notReached");
    expect(json).toMatchObject({
      finished: true,
      next: null,
      erased: { webhooks: 1, deliveries: 2 },
      service,
      message: "The email service: The person was erased.",
    });
    const after = await get(`/webhooks/${webhook.id}`);
    expect(after).toMatchObject({
      body: null,
      bodyErased: "erased",
      deliveries: [{ state: "done" }, { state: "done" }],
    });
    expect(JSON.stringify(after)).not.toMatch(/Zebedee|erase@example|user_erase_1/i);
    expect(await get("/webhooks?email=erase@example.com")).toMatchObject({ data: [], next: null });
    expect(await mailspan.client.findContact({ email: user.email })).toEqual([]);
    expect(await mails()).toBe(0);
    const again = await post("/erase", { email: user.email, service: true });
    expect(again.json.service).toEqual({ contacts: 0, events: 0, sends: 0, discarded: 0, mails: 0 });
  });
});

describe("pause", () => {
  it("stops the deliveries of one source; the status shows since when, and how many deliveries wait", async () => {
    expect(await post("/pause", { source: "stripee" })).toMatchObject({
      status: 400,
      json: { code: "invalid_request", message: expect.stringContaining("Did you mean stripe?") },
    });
    const paused = await post("/pause", { source: "stripe" });
    expect(paused.json).toMatchObject({
      dispatch: "running",
      paused: { all: null, sources: { stripe: expect.any(String) } },
    });
    const { payload, headers } = renewal("paused@example.com");
    const { id } = (await (await mailspan.post("stripe", payload, headers)).json()) as { id: string };
    expect(await get(`/webhooks/${id}?body=0`)).toMatchObject({
      deliveries: [{ state: "waiting", waitingFor: { for: "paused", source: "stripe" } }],
    });
    expect(await get("/status")).toMatchObject({
      waiting: { total: 1, lanes: { transactional: { waiting: 1, oldest: expect.stringMatching(/^20.*Z$/) } } },
    });
    expect((await (await fetch(`${mailspan.url}/health`)).json()) as Json).toMatchObject({ status: "degraded" });
    expect((await post("/resume", { source: "stripe" })).json).toMatchObject({ paused: { sources: {} } });
    await mailspan.settled(id);
  });
});
