import { expect, it } from "vitest";
import stripe from "../../../../src/mappings/stripe.ts";
import { plan } from "../../../../src/rules/evaluate.ts";
import { type Bench, createBench, update } from "../setup.ts";

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
