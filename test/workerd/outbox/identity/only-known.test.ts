import { expect, it } from "vitest";
import stripe from "../../../../src/mappings/stripe.ts";
import { plan } from "../../../../src/rules/evaluate.ts";
import { type Bench, createBench, update } from "../setup.ts";

const ADA = { email: "ada@example.com" };

const deleteCustomer = async (bench: Bench) => {
  const object = { object: "customer", id: "cus_1", email: ADA.email };
  const body = { id: "evt_deleted", type: "customer.deleted", created: 1_700_000_000, data: { object } };
  const webhook = { source: "stripe", id: body.id, type: body.type, occurredAt: body.created * 1_000, body };
  const calls = plan(stripe, webhook).calls.map((call) => ({ ...call, key: "key-deleted" }));
  const { id } = await bench.accept({ calls });
  return bench.calls(id);
};
const sent = ({ host }: Bench) => host.acted.flatMap(({ body }) => (body.eventName ? [body.eventName] : []));

it("a deleted customer whom neither a webhook nor the host knows gets no event, which would make a contact", async () => {
  const bench = await createBench();
  bench.host.before = ({ method }) => (method === "GET" ? Response.json([]) : undefined);
  expect(await deleteCustomer(bench)).toMatchObject([
    { action: "event", state: "done", message: expect.stringContaining("The call makes none") },
  ]);
  expect(sent(bench)).toEqual([]);
});

it("a deleted customer whom only the host knows gets the event", async () => {
  const bench = await createBench();
  bench.host.before = ({ method }) => (method === "GET" ? Response.json([{ id: "con_1", ...ADA }]) : undefined);
  expect(await deleteCustomer(bench)).toMatchObject([{ action: "event", state: "done" }]);
  expect(sent(bench)).toEqual(["customerDeleted"]);
});

it("a deleted customer whom a webhook has named gets the event with one request", async () => {
  const bench = await createBench();
  await bench.calls((await bench.accept({ calls: [update(ADA, { plan: "pro" })] })).id);
  expect(await deleteCustomer(bench)).toMatchObject([{ action: "event", state: "done" }]);
  expect(bench.host.received.map(({ path }) => path)).toEqual(["/v1/contacts/update", "/v1/events/send"]);
});
