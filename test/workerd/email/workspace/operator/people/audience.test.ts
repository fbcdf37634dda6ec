import { beforeEach, describe, expect, it } from "vitest";
import { FILL } from "../../../../../../bench/fill.ts";
import { SLICE, SLICE_TO_JUDGE, searchContacts } from "../../../../../../src/email/workspace/operator/people/search.ts";
import { createTeam, isolated, type Team } from "../../../bench.ts";
import { contextOf, counted } from "../../counted.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam({ createProperties: true });
});

type Page = { data: { email: string }[]; next: string | null };
const search = async (query: Record<string, string>): Promise<Page> => {
  const { status, json, text } = await team.admin("GET", `/contacts?${new URLSearchParams(query)}`);
  expect(status, text).toBe(200);
  return json;
};
const everything = async (query: Record<string, string>) => {
  const found: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const { data, next }: Page = await search(cursor === "" ? query : { ...query, cursor });
    found.push(...data.map(({ email }) => email.replace("@example.com", "")));
    cursor = next;
  }
  return found;
};
const property = (key: string, operator: string, value?: unknown) => ({ type: "property", key, operator, value });
const filter = (...conditions: object[]) => JSON.stringify({ match: "all", conditions });
const addSegment = async (of: Team, ...conditions: object[]) =>
  (await of.post("/audience-segments", { name: "S", filter: { match: "all", conditions } })).json.id as string;

describe("a search for the contacts of a segment", () => {
  beforeEach(async () => {
    for (const [name, plan, seats] of [
      ["ada", "pro", 3],
      ["bob", "free", 30],
      ["cy", "Pró", 30],
      ["dan", "pro", 30],
    ] as const)
      await team.post("/contacts/create", { email: `${name}@example.com`, plan, seats });
  });

  it("finds those that meet the segment, the filter, and all else that is asked for", async () => {
    const segmentId = await addSegment(team, property("seats", "greaterThan", 10));
    expect(await everything({ segmentId })).toEqual(["dan", "cy", "bob"]);
    expect(await everything({ segmentId, filter: filter(property("plan", "equals", "pro")) })).toEqual(["dan"]);
    expect(await everything({ segmentId, q: "b" })).toEqual(["bob"]);
    await team.put("/contacts/update", { email: "dan@example.com", subscribed: false });
    expect(await everything({ segmentId, subscribed: "true" })).toEqual(["cy", "bob"]);
    await team.admin("POST", "/suppressions", { email: "bob@example.com" });
    expect(await everything({ segmentId, suppressed: "false" })).toEqual(["dan", "cy"]);
    expect(
      await everything({ filter: JSON.stringify({ match: "any", conditions: [property("seats", "equals", 3)] }) }),
    ).toEqual(["ada"]);
  });

  it("asks the evaluator where SQLite cannot tell", async () => {
    expect(await everything({ filter: filter(property("plan", "contains", "PRÓ")) })).toEqual(["cy"]);
    expect(await everything({ filter: filter(property("plan", "notEquals", "pro\u0301")) })).toHaveLength(4);
    expect(await everything({ filter: filter(property("plan", "equals", "Pro\u0301")), q: "c" })).toEqual(["cy"]);
  });

  it("refuses a segment of another team, and a filter that is not valid", async () => {
    const other = await createTeam({ id: "other" });
    const theirs = await addSegment(other, property("subscribed", "isTrue"));
    const wrong: [Record<string, string>, number, string, string][] = [
      [{ segmentId: theirs }, 404, "segment_not_found", "segmentId"],
      [{ segmentId: "x".repeat(101) }, 400, "invalid_request", "segmentId"],
      [{ filter: "{" }, 400, "invalid_request", "filter"],
      [{ filter: "[]" }, 400, "invalid_request", "filter"],
      [{ filter: filter() }, 400, "invalid_request", "filter.conditions"],
      [{ filter: filter(property("plan", "larger")) }, 400, "invalid_request", "filter.conditions.0.operator"],
      [{ filter: filter(property("nothing", "equals", "x")) }, 400, "unknown_property", "filter.conditions.0.key"],
    ];
    for (const [query, expected, code, path] of wrong) {
      const { status, json, text } = await team.admin("GET", `/contacts?${new URLSearchParams(query)}`);
      expect([status, json.code], text).toEqual([expected, code]);
      expect(json.path).toBe(path);
    }
  });
});

it("looks at a bounded number of contacts, at fewer where each has to be judged", async () => {
  await team.post("/contacts/create", { email: "ada@example.com", plan: "pro" });
  await team.inside((sql) => {
    sql.exec(FILL, 2, SLICE + 2);
    sql.exec("UPDATE contacts SET data = jsonb_set(data, '$.properties.plan', 'é') WHERE n > 1");
  });
  const conditions = (value: string) => ({
    match: "all" as const,
    conditions: [{ type: "property" as const, key: "plan", operator: "equals" as const, value }],
  });
  const read = await team.inside((real) => {
    const { sql, take } = counted(real);
    const ask = (value: string) => {
      const found = searchContacts(contextOf(sql), { team: "acme", filter: conditions(value) });
      return { ...(found as { body: Page }).body, read: take().read };
    };
    return { sure: ask("pro"), unsure: ask("\u00e9x") };
  });
  expect(read.sure).toMatchObject({ data: [], next: expect.any(String) });
  expect(read.sure.read).toBeLessThan(SLICE + 500);
  expect(read.unsure).toMatchObject({ data: [], next: expect.any(String) });
  expect(read.unsure.read).toBeLessThan(4 * SLICE_TO_JUDGE + 500);
});
