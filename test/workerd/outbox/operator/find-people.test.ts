import { describe, expect, it } from "vitest";
import { findPeople } from "../../../../src/outbox/identity/find-people.ts";
import { adminOf } from "../admin.ts";
import { createBench, update } from "../setup.ts";

type Found = { data: { kind: string; value: string; email: string | null; userId: string | null }[]; rowsRead: number };

describe("GET /admin/people/search", () => {
  it("finds a person by the beginning of an address, a user id and a provider id of any source, once", async () => {
    const bench = await createBench();
    const ask = adminOf(bench);
    await bench.accept({
      links: [
        { userId: "user_1", email: "Ada@Example.com", ref: "stripe:cus_1" },
        { email: "bo@example.com", ref: "stripe-eu:cus_12" },
      ],
      deliveries: [update({ userId: "user_1" }, { plan: "pro" })],
    });
    const ada = { email: "Ada@Example.com", userId: "user_1" };
    const bo = { email: "bo@example.com", userId: null };
    const stripe = { kind: "ref", value: "cus_1", source: "stripe", ...ada };
    const cases: [q: string, found: object[]][] = [
      ["cus_1", [stripe, { kind: "ref", value: "cus_12", source: "stripe-eu", ...bo }]],
      ["stripe:cus_1", [stripe]],
      ["ADA@", [{ kind: "email", value: "ada@example.com", ...ada }]],
      ["user_", [{ kind: "userId", value: "user_1", ...ada }]],
      ["cus_12", [{ kind: "ref", value: "cus_12", source: "stripe-eu", ...bo }]],
      ["CUS_1", []],
      ["nobody", []],
      ["%", []],
    ];
    for (const [q, found] of cases) {
      const { status, json } = await ask<Found>("GET", `/people/search?q=${encodeURIComponent(q)}`);
      expect(status).toBe(200);
      expect(json.data.length, q).toBe(found.length);
      expect(json.data, q).toEqual(expect.arrayContaining(found));
      expect(json.rowsRead).toBeGreaterThan(0);
    }
  });

  it("reads as many rows among 20,000 identifiers as among 20, and finds five people at most", async () => {
    const bench = await createBench();
    await bench.inside((_, { storage: { sql } }) => {
      const read = (identifiers: number) => {
        sql.exec("DELETE FROM contacts");
        sql.exec(
          `WITH RECURSIVE s (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM s WHERE i < ?)
           INSERT INTO contacts (key, learned_at, seen_at) SELECT 'ref:' || iif(i % 2, 'stripe', 'paddle') || ':cus_' || i, 0, 0 FROM s`,
          identifiers,
        );
        const { people, rowsRead } = findPeople(sql, "cus_");
        expect(people).toHaveLength(5);
        return rowsRead;
      };
      const few = read(20);
      expect(read(20_000)).toBeLessThanOrEqual(few + 5);
    });
  });

  it("is refused without a text", async () => {
    const ask = adminOf(await createBench());
    for (const query of ["", "?q=", `?q=${"x".repeat(501)}`, "?q=a&email=b"])
      expect(await ask("GET", `/people/search${query}`), query).toMatchObject({
        status: 400,
        json: { code: "invalid_request" },
      });
  });
});
