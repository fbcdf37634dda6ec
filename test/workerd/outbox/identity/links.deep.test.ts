import { runInDurableObject } from "cloudflare:test";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowsOf } from "../../../../src/outbox/identity/identity-rows.ts";
import { learnLinks } from "../../../../src/outbox/identity/links.ts";
import { saveWatermarks } from "../../../../src/outbox/identity/watermarks.ts";
import type { Strength } from "../../../../src/rules/types.ts";
import { createBench } from "../setup.ts";

const one = (...values: string[]) => fc.option(fc.constantFrom(...values), { nil: undefined });
const link = fc.record(
  {
    // The last is half a surrogate pair. JSON and a bound value bring it to SQLite in two forms.
    ref: one("stripe:cus_1", "stripe:cus_2", "stripe:\ud800"),
    email: one("ada@example.com", "Ada@Example.com", "bob@example.com"),
    userId: one("u1", "u2"),
    strength: fc.constantFrom<Strength>("account", "purchase", "document"),
  },
  { noNullPrototype: true },
);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ links: fc.array(link, { maxLength: 2 }), at: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.record({ marked: fc.constantFrom("email:ada@example.com", "email:bob@example.com") }) },
);
type Step =
  | { links: { ref?: string; email?: string; userId?: string; strength: Strength }[]; at: number }
  | { marked: string };

const counting = (sql: SqlStorage) => {
  const statements: string[] = [];
  const counted = new Proxy(sql, {
    get: (target, name) =>
      name !== "exec"
        ? Reflect.get(target, name)
        : (text: string, ...values: SqlStorageValue[]) => {
            statements.push(text);
            return target.exec(text, ...values);
          },
  });
  return { counted, statements };
};

describe("links of many webhooks in one commit", () => {
  it("change the same rows as links of one webhook after the other", async () => {
    const bench = await createBench();
    await runInDurableObject(bench.stub(), (_, { storage: { sql } }) => {
      const told = (batches: Step[][], together: boolean) => {
        sql.exec("DELETE FROM contacts");
        const changed = batches.map((batch) => {
          for (const one of batch) if ("marked" in one) saveWatermarks(sql, one.marked, {}, { plan: [1, 0] }, 1);
          const told = batch.flatMap((one) => ("links" in one ? [one] : []));
          const rows = together
            ? rowsOf(
                sql,
                told.flatMap(({ links }) => links),
              )
            : undefined;
          return told.map(({ links, at }) => learnLinks(sql, links, at, 1, rows));
        });
        return { changed, rows: sql.exec("SELECT * FROM contacts ORDER BY key").toArray() };
      };
      let written = 0;
      fc.assert(
        fc.property(fc.array(fc.array(step as fc.Arbitrary<Step>, { maxLength: 6 }), { maxLength: 4 }), (batches) => {
          const each = told(batches, false);
          written += each.rows.length;
          // As JSON, so that a failure shows half a surrogate pair.
          expect(JSON.stringify(told(batches, true))).toBe(JSON.stringify(each));
        }),
        { numRuns: 4_000 },
      );
      expect(written).toBeGreaterThan(4_000);
    });
  });

  it("are read with one statement where they change nothing", async () => {
    const bench = await createBench();
    await runInDurableObject(bench.stub(), (_, { storage: { sql } }) => {
      const links = Array.from({ length: 50 }, (_, n) => ({ ref: `stripe:cus_${n}`, email: `p${n}@example.com` }));
      learnLinks(sql, links, 1, 1);
      const { counted, statements } = counting(sql);
      const rows = rowsOf(counted, links);
      for (const link of links) expect(learnLinks(counted, [link], 2, 2, rows)).toEqual([]);
      expect(statements).toHaveLength(1);
    });
  });

  it("of new people need one more statement each", async () => {
    const bench = await createBench();
    await runInDurableObject(bench.stub(), (_, { storage: { sql } }) => {
      const links = Array.from({ length: 50 }, (_, n) => ({ ref: `stripe:cus_${n}`, email: `p${n}@example.com` }));
      const { counted, statements } = counting(sql);
      const rows = rowsOf(counted, links);
      for (const link of links) expect(learnLinks(counted, [link], 1, 1, rows)).toEqual([`ref:${link.ref}`]);
      expect(statements).toHaveLength(1 + links.length);
      for (const { ref, email } of links) expect(rows.read(`ref:${ref}`)?.email).toBe(email);
    });
  });

  it("may have keys whose total length exceeds one SQLite value", async () => {
    const bench = await createBench();
    const webhooks = Array.from({ length: 5 }, (_, n) => ({
      links: [{ ref: `stripe:${n}${"x".repeat(500_000)}`, email: `p${n}@example.com` }],
    }));
    expect(await bench.acceptAll(webhooks)).toHaveLength(5);
    await runInDurableObject(bench.stub(), (_, { storage: { sql } }) => {
      expect(sql.exec("SELECT key FROM contacts").toArray()).toHaveLength(5);
    });
  });
});
