import { beforeEach, describe, expect, it } from "vitest";
import { drawNumbers, intervalOf } from "../../../../../src/email/workspace/segments/sample.ts";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
  await team.post("/contacts/properties", { name: "plan", type: "string" });
  await team.post("/contacts/properties", { name: "seats", type: "number" });
});

const plan = (value: string, operator = "equals") => ({ type: "property", key: "plan", operator, value });
const seats = { type: "property", key: "seats", operator: "greaterThan", value: 5 };
const all = (...conditions: object[]) => ({ match: "all", conditions });

const addContacts = (count: number) =>
  team.run(
    `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?)
     INSERT INTO contacts (id, email, email_key, data, created_at, updated_at)
     SELECT 'con_' || i, 'p' || i || '@example.com', 'p' || i || '@example.com', jsonb_object(
       'firstName', NULL, 'lastName', NULL, 'source', 'API', 'subscribed', json('true'), 'userGroup', '',
       'optInStatus', NULL, 'mailingLists', jsonb('{}'), 'properties',
       jsonb_object('plan', CASE i % 4 WHEN 0 THEN 'Pro' WHEN 2 THEN 'pro' ELSE 'free' END, 'seats', i % 10)), 1, 1 FROM c`,
    count,
  );
const estimate = async (body: object) => {
  const { status, json } = await team.admin("POST", "/audience/estimate", body);
  expect([status, json]).toMatchObject([200, { exact: expect.any(Boolean) }]);
  return json;
};

describe("an estimate", () => {
  it("counts a small team, and shows near misses with the spelling that contacts have", async () => {
    await addContacts(40);
    expect(await estimate({ filter: all(plan("PRO"), seats) })).toEqual({
      contacts: 0,
      exact: true,
      low: 0,
      high: 0,
      total: 40,
      sampled: 40,
      next: null,
      warnings: [],
      nearMisses: [
        {
          path: "filter.conditions.0",
          contacts: 16,
          otherSpellings: [
            { value: "Pro", contacts: 4 },
            { value: "pro", contacts: 4 },
          ],
          message: 'Without this condition, 16 more contacts would match. 4 of them have "Pro". 4 of them have "pro".',
        },
      ],
    });
    expect(await estimate({ filter: all(plan("pro"), seats) })).toMatchObject({
      contacts: 4,
      total: 40,
      nearMisses: [
        { path: "filter.conditions.0", contacts: 12 },
        { path: "filter.conditions.1", contacts: 6 },
      ],
    });
  });

  it("is of a segment, of a filter that narrows it, or of all contacts", async () => {
    await addContacts(40);
    const { id } = (await team.post("/audience-segments", { name: "Pro", filter: all(plan("pro")) })).json;
    expect(await estimate({ audienceSegmentId: id })).toMatchObject({ contacts: 10 });
    const filter = { match: "any", conditions: [seats, plan("x")] };
    expect(await estimate({ audienceSegmentId: id, filter })).toMatchObject({
      contacts: 4,
      nearMisses: [{ path: "segment.filter.conditions.0", contacts: 12 }],
    });
    expect(await estimate({ audienceSegmentId: null, filter: null })).toMatchObject({ contacts: 40, nearMisses: [] });
    expect(await estimate({})).toMatchObject({ contacts: 40 });
  });

  it("is 0 for a team without contacts", async () => {
    expect(await estimate({ filter: all(seats) })).toEqual({
      contacts: 0,
      exact: true,
      low: 0,
      high: 0,
      total: 0,
      sampled: 0,
      next: null,
      warnings: [],
      nearMisses: [],
    });
  });

  it("samples a large team, and counts it when asked to", async () => {
    await addContacts(30_000);
    await team.run("DELETE FROM contacts WHERE n % 3 = 0");
    const filter = all(plan("pro", "contains"), seats);
    const { next } = await estimate({ filter, exact: true });
    const counted = await estimate({ filter, exact: true, cursor: next });
    expect(counted).toMatchObject({ contacts: 4_000, exact: true, low: 4_000, high: 4_000, total: 20_000 });
    const sampled = await estimate({ filter });
    expect(sampled.exact).toBe(false);
    // Within four standard deviations of a sample of 1000.
    expect(Math.abs(sampled.contacts - 4_000)).toBeLessThan(1_300);
    expect(Math.abs(sampled.total - 20_000)).toBeLessThan(1_800);
    expect(sampled.low).toBeLessThanOrEqual(sampled.contacts);
    expect(sampled.high).toBeGreaterThanOrEqual(sampled.contacts);
    expect(sampled.nearMisses[0].message).toMatch(/^Without this condition, about \d+ more contacts would match\.$/);
  });

  it("counts a large team request by request, and estimates until all are counted", async () => {
    // The evaluator judges each contact, so that a slice has 500.
    await addContacts(50_000);
    const filter = all(plan("PRO", "contains"), seats);
    const answers = [await estimate({ filter, exact: true })];
    for (let last = answers[0]; last.next !== null; last = answers.at(-1)) {
      expect(last.exact).toBe(false);
      expect([last.low <= last.contacts, last.contacts <= last.high]).toEqual([true, true]);
      answers.push(await estimate({ filter, exact: true, cursor: last.next }));
    }
    expect(answers.length).toBe(Math.ceil(50_000 / (40 * 500)));
    expect(answers.at(-1)).toMatchObject({ contacts: 10_000, exact: true, low: 10_000, high: 10_000, total: 50_000 });
  });

  it("refuses what a segment refuses, and unknown segments", async () => {
    const refusals: [body: object, status: number, code: string, path: string][] = [
      [{ filter: all() }, 400, "invalid_request", "filter.conditions"],
      [{ filter: all({ ...seats, key: "none" }) }, 400, "unknown_property", "filter.conditions.0.key"],
      [{ filter: all({ ...seats, value: "x" }) }, 400, "invalid_filter", "filter.conditions.0.value"],
      [{ exact: "yes" }, 400, "invalid_request", "exact"],
      [{ list: "x" }, 400, "invalid_request", "list"],
      [{ cursor: "x" }, 400, "invalid_request", "cursor"],
      [{ cursor: btoa("[1,-1,0]"), exact: true }, 400, "invalid_request", "cursor"],
      [{ audienceSegmentId: "seg_none", exact: true }, 404, "segment_not_found", "audienceSegmentId"],
    ];
    for (const [body, status, code, path] of refusals)
      expect(await team.admin("POST", "/audience/estimate", body)).toMatchObject({ status, json: { code, path } });
  });
});

describe("a sample", () => {
  it("draws each number once, from the whole team", () => {
    expect(drawNumbers(5, 1_000, 1)).toEqual([1, 2, 3, 4, 5]);
    for (const last of [1_001, 1_500, 123_457]) {
      const drawn = drawNumbers(last, 1_000, last);
      expect(new Set(drawn).size).toBe(1_000);
      expect(drawn.every((n, i) => n >= 1 && n <= last && n > (drawn[i - 1] ?? 0))).toBe(true);
    }
    expect(drawNumbers(5_000, 1_000, 1)).not.toEqual(drawNumbers(5_000, 1_000, 2));
  });

  it("gives an interval that has the true number in 95 of 100 cases", () => {
    const last = 50_000;
    const isHit = (n: number) => (n * 7919) % 100 < 3;
    const truth = Array.from({ length: last }, (_, i) => i + 1).filter(isHit).length;
    const RUNS = 400;
    const right = Array.from({ length: RUNS }, (_, seed) => {
      const hits = drawNumbers(last, 1_000, seed * 1_000).filter(isHit).length;
      const { low, high } = intervalOf(hits, 1_000, last);
      return low <= truth && truth <= high;
    }).filter(Boolean).length;
    expect(right / RUNS).toBeGreaterThan(0.92);
    expect(intervalOf(0, 1_000, last)).toMatchObject({ contacts: 0, low: 0, high: 191 });
  });
});
