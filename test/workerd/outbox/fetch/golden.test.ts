import { describe, expect, it } from "vitest";
import { plan } from "../../../../src/rules/evaluate.ts";
import type { RuleSet } from "../../../../src/rules/types.ts";
import { sources } from "../../../../src/sources.ts";
import { type Named, type Snapshot, thinOf } from "../../../thin-stripe.ts";
import { createFetching } from "./bench.ts";

const rules = sources.stripe?.rules as RuleSet;
/** Mail and events have a largest age, so that a fixture happens now, with the end of its trial. */
const recent = (body: Snapshot): Snapshot => {
  const created = Math.floor(Date.now() / 1000) - 600;
  const { object } = body.data;
  const end = object.trial_end;
  const trial = typeof end === "number" ? { trial_end: end + created - body.created } : {};
  return { ...body, livemode: true, created, data: { ...body.data, object: { ...object, ...trial } } };
};
const files = import.meta.glob<Snapshot>("../../../fixtures/stripe/*.json", { import: "default" });
const all = await Promise.all(
  Object.entries(files).map(async ([path, load]) => ({
    name: path.replaceAll(/.*\/|\.json$/g, ""),
    body: await load(),
  })),
);
const types = new Set(rules.rules.flatMap(({ on }) => on));
const fixtures = all
  .filter(({ body }) => body.object === "event" && types.has(body.type))
  .map(({ name, body }) => ({ name, body: recent(body) }));

/** Makes the person of a reference known, so that its deliveries leave too. */
const known = {
  id: "evt_known",
  object: "event",
  type: "customer.created",
  livemode: true,
  created: 1_600_000_000,
};
const customerOf = ({ data: { object } }: Snapshot): string | undefined =>
  [object.customer, object.id].find((id): id is string => typeof id === "string" && id.startsWith("cus_"));

const run = async (body: Snapshot, named?: Named) => {
  const { thin, api } = thinOf(body, named ?? "event");
  const { bench, asked, accept } = await createFetching({ answer: (path) => api[path] });
  const id = customerOf(body);
  if (id) await accept({ ...known, data: { object: { id, object: "customer", email: "known@example.com" } } });
  const { id: webhook } = await accept(named ? thin : body);
  await bench.pass(5_000);
  const { type, outcomes, occurredAt, deliveries } = await bench.webhook(webhook);
  const result = {
    type,
    occurredAt,
    outcomes: outcomes.map(({ at: _, ...outcome }) => outcome),
    states: deliveries
      .filter(({ action }) => action !== "fetch")
      .map(({ rule, state, message }) => ({ rule, state, message })),
    sent: bench.service.acted.map(({ path, key, body: sent }) => ({ path, key, sent })),
  };
  return { result, asked, fetches: deliveries.filter(({ action }) => action === "fetch") };
};

const withoutKeys = ({ sent, ...rest }: Awaited<ReturnType<typeof run>>["result"]) => ({
  ...rest,
  sent: sent.map(({ key, ...one }) => ({ ...one, keyed: key !== null })),
});

it("has fixtures of all types of the rules, and each rule makes a delivery in one", () => {
  const made = fixtures.flatMap(({ body }) => {
    const { id, type, created } = body;
    return plan(rules, { source: "stripe", id, type, occurredAt: created * 1_000, body }).deliveries;
  });
  const acting = new Set(made.map(({ rule }) => rule));
  expect(rules.rules.map(({ name }) => name).filter((name) => !acting.has(name))).toEqual([]);
  const recorded = new Set(fixtures.map(({ body }) => body.type));
  expect([...types].filter((type) => !recorded.has(type))).toEqual([]);
});

describe.each(fixtures)("$name", ({ body }) => {
  it("as a thin event makes the same deliveries as the snapshot event", async () => {
    const expected = (await run(body)).result;
    for (const named of ["event", "later"] as const) {
      const { result, fetches } = await run(body, named);
      expect(fetches, named).toMatchObject([{ state: "done", attempts: [{ status: 200 }] }]);
      // A snapshot event of the same id has the same keys, so that nothing is sent twice.
      expect(result, named).toEqual(expected);
    }
    // Without an id there is nothing to fetch but the snapshot event.
    if (body.data.object.id === undefined) return;
    const { result } = await run(body, "object");
    expect(withoutKeys(result)).toEqual(withoutKeys(expected));
  });
});
