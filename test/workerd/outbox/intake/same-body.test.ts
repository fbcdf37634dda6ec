import { expect, it } from "vitest";
import { countRows } from "../journal/count-rows.ts";
import { createBench, mail } from "../setup.ts";

const DIGEST = "0123456789abcdef0123456789abcdef";
const OTHER = DIGEST.replace("0", "f");
const ada = { email: "ada@example.com" };

const webhook = (id: string, bodyDigest = DIGEST) => ({
  source: "github",
  eventId: `${bodyDigest}.${id}`,
  bodyDigest,
  deliveries: [mail(ada)],
});

it("one signed body is one webhook, whatever its unsigned id: a replay sends nothing and writes nothing", async () => {
  const bench = await createBench();
  const { id } = await bench.accept(webhook("one"));
  await bench.deliveries(id);
  const rows = await countRows(bench, async () => {
    for (const other of ["two", "", "one", "zzz"])
      expect(await bench.accept(webhook(other))).toEqual({ id, duplicate: true, deliveries: 1 });
  });
  expect(rows).toEqual({ sql: 0, alarms: 0 });
  expect(bench.service.acted).toHaveLength(1);
});

it("of a provider with a new id at each attempt, the same body later is another webhook, and the same id never is", async () => {
  const bench = await createBench();
  const mailOf = (id: string) => ({ ...webhook(id), repeatsFor: 10_000 });
  expect((await bench.accept(mailOf("one"))).duplicate).toBe(false);
  await bench.pass(2_000);
  expect((await bench.accept(mailOf("retry"))).duplicate).toBe(true);
  await bench.pass(9_000);
  expect((await bench.accept(mailOf("two"))).duplicate).toBe(false);
  await bench.pass(2_000);
  expect((await bench.accept(mailOf("retry of two"))).duplicate).toBe(true);
  await bench.pass(60_000);
  for (const id of ["one", "two"]) expect((await bench.accept(mailOf(id))).duplicate).toBe(true);
  expect(bench.service.acted).toHaveLength(2);
});

it("also in one request, and after the object started again", async () => {
  const bench = await createBench();
  const receipts = await bench.acceptAll([webhook("one"), webhook("two"), webhook("one", OTHER)]);
  expect(receipts.map(({ duplicate }) => duplicate)).toEqual([false, true, false]);
  await bench.crash();
  expect((await bench.accept(webhook("three"))).duplicate).toBe(true);
});

it("another body, another source, and a digest that only begins like it are other webhooks", async () => {
  const bench = await createBench();
  await bench.accept(webhook("one"));
  expect((await bench.accept(webhook("one", OTHER))).duplicate).toBe(false);
  expect((await bench.accept({ ...webhook("one"), source: "github-eu" })).duplicate).toBe(false);
  expect((await bench.accept(webhook("one", `${DIGEST}0`))).duplicate).toBe(false);
});

it("costs no row more than another webhook", async () => {
  const bench = await createBench();
  await bench.accept();
  const rowsOf = (accept: () => Promise<unknown>) =>
    countRows(bench, async () => {
      await accept();
    });
  const usual = await rowsOf(() => bench.accept());
  expect(await rowsOf(() => bench.accept({ ...webhook("one"), deliveries: [] }))).toEqual(usual);
});
