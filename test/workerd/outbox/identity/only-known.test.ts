import { describe, expect, it } from "vitest";
import stripe from "../../../../src/mappings/stripe.ts";
import type { PlannedWebhook } from "../../../../src/outbox/model/journal-types.ts";
import { plan } from "../../../../src/rules/evaluate.ts";
import { type Bench, createBench, update } from "../setup.ts";
import { stripeWebhook } from "./planned.ts";

const ADA = { email: "ada@example.com" };

const deleteCustomer = async (bench: Bench) => {
  const object = { object: "customer", id: "cus_1", email: ADA.email };
  const body = { id: "evt_deleted", type: "customer.deleted", created: 1_700_000_000, data: { object } };
  const webhook = { source: "stripe", id: body.id, type: body.type, occurredAt: body.created * 1_000, body };
  const deliveries = plan(stripe, webhook).deliveries.map((delivery) => ({ ...delivery, key: "key-deleted" }));
  const { id } = await bench.accept({ deliveries });
  return bench.deliveries(id);
};
const sent = ({ service }: Bench) => service.acted.flatMap(({ body }) => (body.eventName ? [body.eventName] : []));

it("a deleted customer whom neither a webhook nor the email service knows gets no event, which would make a contact", async () => {
  const bench = await createBench();
  bench.service.before = ({ method }) => (method === "GET" ? Response.json([]) : undefined);
  expect(await deleteCustomer(bench)).toMatchObject([
    { action: "event", state: "done", message: expect.stringContaining("The delivery makes none") },
  ]);
  expect(sent(bench)).toEqual([]);
});

it("a deleted customer whom only the email service knows gets the event", async () => {
  const bench = await createBench();
  bench.service.before = ({ method }) => (method === "GET" ? Response.json([{ id: "con_1", ...ADA }]) : undefined);
  expect(await deleteCustomer(bench)).toMatchObject([{ action: "event", state: "done" }]);
  expect(sent(bench)).toEqual(["customerDeleted"]);
});

it("a deleted customer whom a webhook has named gets the event with one request", async () => {
  const bench = await createBench();
  await bench.deliveries((await bench.accept({ deliveries: [update(ADA, { plan: "pro" })] })).id);
  expect(await deleteCustomer(bench)).toMatchObject([{ action: "event", state: "done" }]);
  expect(bench.service.received.map(({ path }) => path)).toEqual(["/v1/contacts/update", "/v1/events/send"]);
});

describe("a customer of whom the deletion is the first webhook", () => {
  const at = (step: number) => Date.now() - 60_000 + step * 1_000;
  const ended = {
    id: "sub_1",
    object: "subscription",
    customer: "cus_1",
    status: "canceled",
    created: at(1) / 1_000,
    ended_at: at(3) / 1_000,
    cancellation_details: { reason: "cancellation_requested" },
    items: { data: [{ price: { id: "price_1", nickname: "Pro", unit_amount: 2_000, currency: "usd" }, quantity: 1 }] },
  };
  const customer = { id: "cus_1", object: "customer", email: ADA.email };
  const deleted = () => stripeWebhook("customer.deleted", customer, at(3));
  const older = () => [
    stripeWebhook("customer.created", customer, at(0)),
    stripeWebhook("customer.subscription.deleted", ended, at(3) - 1),
  ];
  const mails = ({ service }: Bench) => service.acted.filter(({ path }) => path === "/v1/transactional").length;
  const deliver = async (bench: Bench, webhook: PlannedWebhook) =>
    bench.deliveries((await bench.accept(webhook)).id, undefined, 60_000);

  it.each([
    ["after", 0],
    ["without", 1],
  ])("gets no goodbye by older webhooks %s it", async (when, expected) => {
    const bench = await createBench(({ env }) => ({ env: { ...env, TEMPLATES: { cancellation: "tpl_1" } } }));
    bench.service.before = ({ method }) => (method === "GET" ? Response.json([]) : undefined);
    if (when === "after") await deliver(bench, deleted());
    for (const webhook of older()) await deliver(bench, webhook);
    expect(mails(bench)).toBe(expected);
  });

  it("stays unknown: the same deletion under another id makes no contact", async () => {
    const bench = await createBench();
    bench.service.before = ({ method }) => (method === "GET" ? Response.json([]) : undefined);
    await deliver(bench, deleted());
    const again = await deliver(bench, { ...deleted(), eventId: "evt_again" });
    expect(again).toMatchObject([{ state: "done", message: expect.stringContaining("The delivery makes none") }]);
    expect(sent(bench)).toEqual([]);
  });
});
