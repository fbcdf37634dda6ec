import { describe, expect, it } from "vitest";
import type { RuleSet } from "../../../../src/rules/types.ts";
import { sources } from "../../../../src/sources.ts";
import { type Named, type Snapshot, thinOf } from "../../../thin-stripe.ts";
import { createFetching } from "./bench.ts";

const rules = sources.stripe?.rules as RuleSet;
/** Mail and events have a largest age. */
const recent = (body: Snapshot): Snapshot => ({
  ...body,
  livemode: true,
  created: Math.floor(Date.now() / 1000) - 600,
});
const files = import.meta.glob<Snapshot>("../../../fixtures/stripe/*.json", { import: "default" });
const all = await Promise.all(
  Object.entries(files).map(async ([path, load]) => ({
    name: path.replaceAll(/.*\/|\.json$/g, ""),
    body: recent(await load()),
  })),
);
const types = new Set(rules.rules.flatMap(({ on }) => on));
const fixtures = all.filter(({ body }) => body.object === "event" && types.has(body.type));

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

it("has a fixture for every rule", () => {
  const covered = new Set(fixtures.map(({ body }) => body.type));
  const missing = rules.rules.filter(({ on }) => ![on].flat().some((type) => covered.has(type)));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

describe.each(fixtures)("$name", ({ body }) => {
  it("as a thin event makes the same deliveries as the snapshot event", async () => {
    const expected = (await run(body)).result;
    for (const named of ["event", "later"] as const) {
      const { result, fetches } = await run(body, named);
      expect(fetches, named).toMatchObject([{ state: "done", attempts: [{ status: 200 }] }]);
      // A snapshot event of the same id has the same keys, so that nothing is sent twice.
      if (named === "event") expect(result, named).toEqual(expected);
      else expect(withoutKeys(result), named).toEqual(withoutKeys(expected));
    }
    // Without an id there is nothing to fetch but the snapshot event.
    if (body.data.object.id === undefined) return;
    const { result } = await run(body, "object");
    expect(withoutKeys(result)).toEqual(withoutKeys(expected));
  });
});
