import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listSamples, sampleBody, signedSample } from "../../scripts/samples/samples.ts";
import { startWorkers, type Workers } from "../../scripts/workers.ts";
import { type Source, sources } from "../../src/sources.ts";
import { loadOnce, secrets } from "./mailspan.ts";

const KEY = "ms_demo_logtestlogtest_0123456789";
const STRIPE_KEY = "rk_live_logtest0123456789";
const ALERT_SECRET = "whsec_bG9ndGVzdGxvZ3Rlc3Rsb2d0ZXN0bG9ndGVzdA==";
const minted: Record<string, string> = { ...secrets };

const lines: string[] = [];
const alerts: { headers: Record<string, string>; body: string }[] = [];
let workers: Workers;
let state: string;
let n = 0;
const given = new Set<string>();

const service = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += chunk));
  request.on("end", () => {
    const often: [number, object][] = [
      [200, { success: true, id: "id_1" }],
      [400, { success: false, message: `This is wrong: ${body}` }],
      [409, { success: false, message: `Two contacts: ${body}`, code: "contact_conflict" }],
    ];
    const once: Record<number, [number, object]> = {
      2: [500, { success: false, message: `Out of order: ${body}` }],
      4: [429, { success: false, message: `Slower: ${body}` }],
      12: [403, { success: false, message: `Not this one: ${body}` }],
    };
    const { url = "" } = request;
    if (url === "/alerts") alerts.push({ headers: request.headers as Record<string, string>, body });
    const [status, answer] =
      url === "/alerts"
        ? [204, {}]
        : url.startsWith("/v1/customers/")
          ? [500, { error: { message: url } }]
          : (once[n++] ?? (often[n % often.length] as [number, object]));
    response.writeHead(status, { "Content-Type": "application/json", "Retry-After": "1" });
    response.end(status === 204 ? undefined : JSON.stringify(answer));
  });
});

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(workers.url + path, { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body });

const leavesOf = (value: unknown): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(leavesOf);
};

const words = new Set(
  Object.entries(sources as Record<string, Source>).flatMap(([name, source]) => [
    name,
    ...(source.rules?.rules ?? []).flatMap(({ name: rule, on }) => [rule, ...(typeof on === "string" ? [on] : on)]),
  ]),
);
const vocabulary = [...words, "transactional", "contact", "event", "delete", "done", "waiting", "failed"].join("\n");

beforeAll(async () => {
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  state = await mkdtemp(join(tmpdir(), "mailspan-logs-"));
  workers = await startWorkers({
    port: 0,
    emailPort: 0,
    state,
    load: loadOnce,
    log: (line) => lines.push(line),
    bridgeVars: {
      ...minted,
      EMAIL_API_KEY: KEY,
      EMAIL_API_URL: url,
      STRIPE_API_KEY: STRIPE_KEY,
      STRIPE_API_URL: url,
      ALERT_WEBHOOK_URL: `${url}/alerts`,
      ALERT_WEBHOOK_SECRET: ALERT_SECRET,
    },
    emailVars: { ADMIN_TOKEN: secrets.ADMIN_TOKEN, API_KEY_SECRET: "log-key-secret", INBOX: "1" },
  });
  for (const secret of [...Object.values(minted), KEY, STRIPE_KEY, ALERT_SECRET, "log-key-secret"]) given.add(secret);
});
afterAll(async () => {
  await workers?.stop();
  service.close();
  await rm(state, { recursive: true, force: true });
});

it("no log line of a busy run contains a part of a body, an address, a secret or a token", async () => {
  const known = listSamples().filter(({ source }) => minted[sources[source]?.secret ?? ""] !== undefined);
  expect(known.length).toBeGreaterThan(8);
  const statuses: number[] = [];
  for (const { source, type } of known) {
    const secret = minted[sources[source]?.secret ?? ""] ?? "";
    const set = source === "stripe" ? { id: `evt_${randomUUID()}`, livemode: true } : {};
    const sample = await signedSample(source, type, { secret, now: Date.now(), set });
    for (const leaf of leavesOf(sampleBody(source, type))) given.add(leaf);
    for (const header of Object.values(sample.headers)) given.add(header);
    const send = (raw = sample.raw, headers = sample.headers) => post(`/hooks/${source}`, raw, headers);
    for (const response of [await send(), await send(), await send(`${sample.raw} `), await send(sample.raw, {})])
      statuses.push(response.status);
  }
  const subscription = await signedSample("stripe", "customer.subscription.updated", {
    secret: secrets.STRIPE_WEBHOOK_SECRET,
    now: Date.now(),
    set: { id: `evt_${randomUUID()}`, livemode: true, "data.object.customer": "cus_nobodyknows" },
  });
  statuses.push((await post("/hooks/stripe", subscription.raw, subscription.headers)).status);
  given.add("cus_nobodyknows");
  const broken = '{"email":"grace.hopper@example.com", "name": Grace Brewster}';
  for (const leaf of ["grace.hopper@example.com", "Grace Brewster", "someone.else@example.com", "wrong-token-123"])
    given.add(leaf);
  const { signStripe } = await import("../../scripts/samples/sign.ts");
  const signature = await signStripe(secrets.STRIPE_WEBHOOK_SECRET, broken, Math.floor(Date.now() / 1000));
  statuses.push((await post("/hooks/stripe", broken, { "Stripe-Signature": signature })).status);
  statuses.push((await post("/hooks/someone.else@example.com", broken)).status);
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
  const get = async (path: string, token: string) =>
    (await fetch(workers.url + path, { headers: bearer(token) })).status;
  expect(await get("/admin/webhooks?email=someone.else@example.com", "wrong-token-123")).toBe(401);
  expect(await get("/admin/webhooks?email=someone.else@example.com", secrets.ADMIN_TOKEN)).toBe(200);
  expect(await get("/v1/contacts/find?email=someone.else@example.com", "wrong-token-123")).toBe(401);
  const gone = {
    objects: [{ id: "cus_log", object: "customer", created: 1, livemode: true, email: "grace.hopper@example.com" }],
  };
  expect((await post("/admin/backfill/stripe", JSON.stringify(gone), bearer(secrets.ADMIN_TOKEN))).status).toBe(200);
  expect(new Set(statuses)).toEqual(new Set([202, 200, 401, 400, 404]));

  const wanted = [
    "webhook_accepted",
    "webhook_duplicate",
    "webhook_refused",
    "delivery_settled",
    "dispatch_interrupted",
    "alert",
    "backfill",
    "fetch_back_failed",
  ];
  const count = (event: string) =>
    lines.filter((line) => (JSON.parse(line) as { event: string }).event === event).length;
  await expect
    .poll(() => wanted.filter((event) => count(event) < (event === "delivery_settled" ? 10 : 1)), { timeout: 40_000 })
    .toEqual([]);
  const all = lines.join("\n");
  const leaksIn = (text: string) =>
    [...given].filter(
      (one) => one.length >= 5 && !vocabulary.includes(one) && !/^\d{1,13}$/.test(one) && text.includes(one),
    );
  expect(leaksIn(all)).toEqual([]);
  expect(all).not.toMatch(/[\w.]+@[\w.]+/);
  // Proves that the search works: it finds the sent values.
  expect(given.size).toBeGreaterThan(150);
  const body = sampleBody("stripe", "customer.created");
  expect(leaksIn(JSON.stringify(body)).length).toBeGreaterThan(5);
  expect(leaksIn(`${all} ${secrets.ADMIN_TOKEN}`)).toEqual([secrets.ADMIN_TOKEN]);
}, 90_000);

it("refusals of that run were counted by source and code, and the metrics show them", async () => {
  type Answer = { totals: { source: string; code: string; count: number }[] };
  const headers = { Authorization: `Bearer ${secrets.ADMIN_TOKEN}` };
  const get = async (path: string) => {
    const response = await fetch(workers.url + path, { headers });
    return { type: response.headers.get("Content-Type"), status: response.status, text: await response.text() };
  };
  const totals = async () => (JSON.parse((await get("/admin/refusals?since=1h")).text) as Answer).totals;
  await expect.poll(totals, { timeout: 15_000 }).toEqual(
    expect.arrayContaining([
      { source: "stripe", code: "invalid_signature", count: expect.any(Number) },
      { source: "clerk", code: "missing_signature", count: expect.any(Number) },
      { source: "stripe", code: "invalid_json", count: 1 },
      { source: "(unknown)", code: "unknown_source", count: 1 },
    ]),
  );
  const ofClerk = JSON.parse((await get("/admin/refusals?source=clerk")).text) as Answer;
  expect(new Set(ofClerk.totals.map(({ source }) => source))).toEqual(new Set(["clerk"]));
  const metrics = await get("/admin/metrics");
  expect(metrics.type).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(metrics.text).toMatch(/^mailspan_refusals_total\{source="\(unknown\)",code="unknown_source"\} 1$/m);
  expect(metrics.text).toMatch(/^mailspan_webhooks_total\{source="stripe",result="duplicate"\} \d+$/m);
  expect(metrics.text).not.toMatch(/@|cus_/);
  expect((await get("/admin/metrics?x=1")).status).toBe(400);
  expect(await get("/admin/refusals?since=soon")).toMatchObject({
    status: 400,
    text: expect.stringContaining("since must be"),
  });
});

it("problems of that run caused signed alert webhooks, and /health shows them without a person's name", async () => {
  const told = alerts.map(({ headers, body }) => new Webhook(ALERT_SECRET).verify(body, headers) as { type: string });
  expect(new Set(told.map(({ type }) => type))).toContain("delivery.failed");
  const health = await fetch(`${workers.url}/health`);
  const text = await health.text();
  expect([health.status, JSON.parse(text)]).toMatchObject([
    200,
    { reasons: expect.arrayContaining(["fetch-back: the API of stripe answers with status 500"]) },
  ]);
  expect(text).not.toMatch(/@|cus_/);
});
