import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { admin, advance, bindings, createTeam, isolated, type Team } from "../bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
  await team.run("INSERT INTO message_revisions VALUES (1, 1, '{}', json_object('variables', json('[]')), 0, NULL)");
});

type Row = { id: string };
type List = {
  path: string;
  get(path: string): Promise<{ status: number; json: { data: Row[]; pagination: Record<string, unknown> } }>;
  exec(statement: string, ...rows: (string | number)[][]): Promise<void>;
  insert: string;
  table: string;
};

const inTeam: List["exec"] = (statement, ...rows) =>
  team.inside((sql) => {
    for (const row of rows) sql.exec(statement, ...row);
  });

const lists: [name: string, list: () => List][] = [
  [
    "event patterns",
    () => ({
      path: "/v1/event-patterns",
      table: "event_patterns",
      insert: "INSERT INTO event_patterns (n, id, name, types, created_at) VALUES (?2, ?1, ?1, '{}', 0)",
      get: (path) => team.get(path.replace(/^.*\/v1/, "")),
      exec: inTeam,
    }),
  ],
  ...["published", "all"].map((status): [string, () => List] => [
    `transactional emails, ${status}`,
    () => ({
      path: `/v1/transactional-emails?status=${status}`,
      table: "templates",
      insert: "INSERT INTO templates (n, id, name, published, created_at, updated_at) VALUES (?2, ?1, 'T', 1, 0, 0)",
      get: (path) => {
        advance(60_000);
        return team.get(path.replace(/^.*\/v1/, ""));
      },
      exec: inTeam,
    }),
  ]),
  [
    "teams",
    () => ({
      path: "/admin/teams",
      table: "teams",
      insert: "INSERT INTO teams (n, id, name, created_at) VALUES (?2, ?1, 'T', 0)",
      get: (path) => admin("GET", path),
      exec: (statement, ...rows) =>
        runInDurableObject(bindings.DIRECTORY.getByName("directory"), (_, { storage: { sql } }) => {
          for (const row of rows) sql.exec(statement, ...row);
        }),
    }),
  ],
];

/** New rows, and removal of every k-th old row. Row numbers only go up, as in nextNumber. */
const changes = fc.record({
  add: fc.integer({ min: 0, max: 8 }),
  from: fc.nat({ max: 60 }),
  every: fc.integer({ min: 1, max: 6 }),
  remove: fc.integer({ min: 0, max: 30 }),
});
const runs = fc.record({
  rows: fc.integer({ min: 0, max: 60 }),
  perPage: fc.integer({ min: 10, max: 50 }),
  between: fc.array(changes, { maxLength: 6 }),
});

describe.each(lists)("the list of %s", (_, list) => {
  it("shows each row that stays exactly once and in order, and no row twice, while rows are added and removed", async () => {
    const { path, get, exec, insert, table } = list();
    let serial = 0;
    const add = async (count: number) => {
      const added = Array.from({ length: count }, () => `row_${serial++}`);
      await exec(insert, ...added.map((id) => [id, Number(id.slice("row_".length)) + 1]));
      return added;
    };
    await fc.assert(
      fc.asyncProperty(runs, async ({ rows, perPage, between }) => {
        await exec(`DELETE FROM ${table}`, []);
        const first = await add(rows);
        const late = new Set<string>();
        const gone = new Set<string>();
        const seen: string[] = [];
        let next: string | null = `${path}${path.includes("?") ? "&" : "?"}perPage=${perPage}`;
        for (let page = 0; next !== null; page++) {
          const { status, json } = await get(next);
          expect(status).toBe(200);
          const present = rows + late.size - gone.size;
          const { nextPage, nextCursor, ...figures } = json.pagination;
          expect(figures).toEqual({
            totalResults: present,
            returnedResults: json.data.length,
            perPage,
            totalPages: Math.ceil(present / perPage),
          });
          // Only the last page may be short, and only it has no next page.
          if (nextCursor !== null) expect(json.data).toHaveLength(perPage);
          seen.push(...json.data.map(({ id }) => id));
          next = nextPage as string | null;

          const change = between[page];
          if (!change || next === null) continue;
          for (const id of await add(change.add)) late.add(id);
          const going = first.filter((id, i) => i >= change.from && i % change.every === 0 && !gone.has(id));
          const removed = going.slice(0, change.remove);
          await exec(`DELETE FROM ${table} WHERE id = ?`, ...removed.map((id) => [id]));
          for (const id of removed) gone.add(id);
        }
        const order = seen.map((id) => Number(id.slice("row_".length)));
        expect(order).toEqual(order.toSorted((a, b) => b - a));
        expect(new Set(seen).size).toBe(seen.length);
        expect(seen.filter((id) => late.has(id))).toEqual([]);
        expect(seen.filter((id) => !gone.has(id))).toEqual(first.filter((id) => !gone.has(id)).toReversed());
      }),
      { numRuns: 25 },
    );
  });
});

it("a cursor that no list gave is refused", async () => {
  for (const cursor of ["x", "%%%", btoa("n"), btoa("n-1"), btoa("n1 OR 1"), btoa("m1"), btoa("n1".padEnd(40, "0"))]) {
    const query = new URLSearchParams({ cursor });
    for (const path of ["/event-patterns", "/transactional-emails", "/transactional"]) {
      const { status, json } = await team.get(`${path}?${query}`);
      expect([status, json.code, json.path], cursor).toEqual([400, "invalid_request", "cursor"]);
    }
    expect((await admin("GET", `/admin/teams?${query}`)).json.path).toBe("cursor");
  }
});
