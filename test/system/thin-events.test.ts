import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, it } from "vitest";
import created from "../fixtures/stripe/customer.created.json" with { type: "json" };
import started from "../fixtures/stripe/customer.subscription.created.json" with { type: "json" };
import { type Snapshot, thinOf } from "../thin-stripe.ts";
import { isSettled, type Mailspan, secrets, startMailspan, until } from "./mailspan.ts";

const stripe = new Stripe("sk_test_none");
const now = Math.floor(Date.now() / 1000) - 60;
const events = [created, started].map(
  (body, n): Snapshot => ({ ...body, id: `evt_${n}`, livemode: true, created: now }),
);
const thin = events.map((event) => thinOf(event, "event"));
const api = Object.assign({}, ...thin.map((one) => one.api)) as Record<string, unknown>;

/** Stripe's API over real HTTP, which first refuses, fails and closes the connection. */
const faults = ["429", "500", "close"];
const asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? "");
  const fault = faults.shift();
  if (fault === "close") return void request.socket.destroy();
  const found = api[request.url ?? ""];
  const status = fault ? Number(fault) : found ? 200 : 404;
  response.writeHead(status, {
    "Content-Type": "application/json",
    ...(fault === "429" ? { "Retry-After": "1" } : {}),
  });
  response.end(JSON.stringify(fault ? { error: { message: "later" } } : (found ?? { error: { message: "none" } })));
});

let mailspan: Mailspan;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  mailspan = await startMailspan({ STRIPE_API_KEY: "rk_test_thin", STRIPE_API_URL: url });
});
afterAll(async () => {
  await mailspan?.stop();
  server.closeAllConnections();
  server.close();
});

it("thin events reach the contact through an API of Stripe that first answers 429 and 500 and breaks off", async () => {
  const ids: string[] = [];
  for (const { thin: body } of thin) {
    const payload = JSON.stringify(body);
    const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: secrets.STRIPE_WEBHOOK_SECRET });
    const response = await mailspan.post("stripe", payload, { "Stripe-Signature": signature });
    expect(response.status).toBe(202);
    ids.push(((await response.json()) as { id: string }).id);
  }
  const shown = await until(
    "both webhooks are settled",
    async () => {
      const all = await Promise.all(ids.map((id) => mailspan.webhook(id)));
      return all.every((one) => isSettled(one)) ? all : undefined;
    },
    90_000,
  );
  expect(shown.map(({ type }) => type)).toEqual(["customer.created", "customer.subscription.created"]);
  for (const { deliveries } of shown) {
    expect(deliveries.map(({ state }) => state)).not.toContain("failed");
    expect(deliveries[0]).toMatchObject({ action: "fetch", state: "done" });
  }
  const attempts = shown.flatMap(({ deliveries }) => deliveries[0]?.attempts ?? []);
  expect(attempts.map(({ status }) => status ?? null).toSorted()).toEqual([200, 200, 429, 500, null].toSorted());
  const [contact] = await mailspan.client.findContact({ email: created.data.object.email });
  expect(contact).toMatchObject({ stripeCustomerId: expect.stringMatching(/^cus_/), plan: expect.any(String) });
  // The subscription may arrive first: a fetch-back then asks for its customer.
  expect(asked.filter((path) => path.startsWith("/v1/events/"))).toHaveLength(5);
});
