import { describe, expect, it } from "vitest";
import { seqOf } from "../../../../src/outbox/model/delivery-state.ts";
import { adminOf } from "../admin.ts";
import { failure } from "../service.ts";
import { type Bench, createBench, event, mail, update } from "../setup.ts";

type Causes = { data: { cause: string; count: number; examples: string[] }[]; next: string | null };

const refusing = async (message: (n: number) => string) => {
  const bench = await createBench();
  let n = 0;
  bench.service.before = () => failure(400, message(++n));
  return { bench, ask: adminOf(bench) };
};

const failedOnes = async (bench: Bench, count: number): Promise<string[]> => {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) {
    const { id } = await bench.accept({ deliveries: [mail({ email: `u${n}@example.com` })] });
    await bench.deliveries(id);
    ids.push(id);
  }
  return ids;
};

describe("deliveries that need a person", () => {
  it("are grouped by the email service's message without addresses and ids", async () => {
    const { bench, ask } = await refusing(
      (n) => `The address u${n}@example.com is on list lst_${n}7, since 2026-01-0${n}.`,
    );
    const ids = await failedOnes(bench, 7);
    const { json } = await ask<Causes>("GET", "/attention");
    expect(json).toMatchObject({
      data: [
        {
          cause: "The address (address) is on list #, since #.",
          message: "The address u7@example.com is on list lst_77, since 2026-01-07.",
          source: "stripe",
          rule: "mail",
          action: "transactional",
          state: "failed",
          count: 7,
          examples: ids
            .slice(-5)
            .map((id) => `${id}.0`)
            .reverse(),
        },
      ],
      next: null,
    });
    expect((await ask("GET", "/status")).json).toMatchObject({ attention: 7 });
  });

  it("are found and retried by their cause", async () => {
    const { bench, ask } = await refusing((n) => (n % 2 === 0 ? `No template tpl_${n}.` : `Too long: ${n}.`));
    await failedOnes(bench, 4);
    const causes = (await ask<Causes>("GET", "/attention")).json.data;
    expect(causes.map(({ cause, count }) => [cause, count])).toEqual([
      ["No template #.", 2],
      ["Too long: #.", 2],
    ]);
    const found = await ask<{ data: unknown[] }>("GET", "/deliveries?state=attention&cause=Too%20long:%20%23.");
    expect(found.json.data).toHaveLength(2);
    bench.service.before = () => undefined;
    const retried = await ask("POST", "/deliveries/retry", { cause: "No template #.", dryRun: false });
    expect(retried.json).toMatchObject({ retried: 2 });
    await bench.pass(5_000);
    expect((await ask<Causes>("GET", "/attention")).json.data).toMatchObject([{ cause: "Too long: #.", count: 2 }]);
  });

  it("are counted per delivery, and no more once they are done or discarded", async () => {
    const { bench, ask } = await refusing(() => "no");
    const { id } = await bench.accept({
      deliveries: [mail({ email: "ada@example.com" }), event({ email: "ada@example.com" })],
    });
    await bench.deliveries(id);
    const attention = async () => (await ask<{ attention: number }>("GET", "/status")).json.attention;
    expect(await attention()).toBe(2);
    await ask("POST", `/deliveries/${id}.0/discard`, {});
    expect(await attention()).toBe(1);
    bench.service.before = () => undefined;
    await ask("POST", `/deliveries/${id}.1/retry`, {});
    expect(await attention()).toBe(0);
    await bench.deliveries(id);
    expect(await attention()).toBe(0);
    expect((await ask<Causes>("GET", "/attention")).json).toMatchObject({ data: [], next: null, searchedTo: null });
  });

  it("are not those that end because their person is erased", async () => {
    const bench = await createBench();
    const ask = adminOf(bench);
    await ask("POST", "/pause", {});
    const { id } = await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await ask("POST", "/erase", { email: "ada@example.com" });
    expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "failed" }]);
    expect((await ask("GET", "/status")).json).toMatchObject({ attention: 0 });
  });

  it("are not those that a replay made again", async () => {
    const { bench, ask } = await refusing(() => "no");
    const { id } = await bench.accept({ deliveries: [update({ email: "ada@example.com" }, { plan: "pro" })] });
    await bench.deliveries(id);
    const { key: _key, ...delivery } = update({ email: "ada@example.com" }, { plan: "pro" });
    const plan = { seq: seqOf(id) as number, deliveries: [{ ...delivery, key: "k" }], outcomes: [], links: [] };
    await bench.ask((outbox) => outbox.replay([plan], ["contact"], false));
    expect((await ask("GET", "/status")).json).toMatchObject({ attention: 0 });
  });

  it("are found in one request behind ten thousand webhooks that went well", async () => {
    const { bench, ask } = await refusing(() => "no");
    const [id] = await failedOnes(bench, 1);
    await bench.inside((_, { storage }) => {
      storage.sql.exec(
        `WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 10000)
         INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, outcomes, deliveries, open)
         SELECT ? + i, 'stripe', 'many_' || i, 'x', 0, 0, 0, '{}', '[]', '[]', 0 FROM n`,
        (seqOf(id ?? "") ?? 0) + 1,
      );
    });
    for (const path of ["/attention", "/deliveries?state=attention", "/webhooks?state=attention"]) {
      const { json } = await ask<{ data: unknown[]; next: string | null }>("GET", path);
      expect({ path, found: json.data.length, next: json.next }).toEqual({ path, found: 1, next: null });
    }
    expect((await ask("GET", "/deliveries?state=failed")).json).toMatchObject({ data: [], next: expect.any(String) });
  });

  it("come in pages where there are very many causes", async () => {
    const bench = await createBench();
    const ask = adminOf(bench);
    const delivery = { ...mail({ email: "a@b.example" }), state: "failed", due: 0, attempts: [] };
    await bench.inside((_, { storage }) => {
      for (let n = 0; n < 250; n++)
        storage.sql.exec(
          `INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, outcomes, deliveries, open, attention)
           VALUES (?1, 'stripe', 'e' || ?1, 'x', 0, 0, 0, '{}', '[]', ?2, 0, 1)`,
          1_000_000 + n,
          JSON.stringify([{ ...delivery, message: `cause ${"x".repeat(n)}` }]),
        );
    });
    const sizes: number[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { json }: { json: Causes } = await ask<Causes>(
        "GET",
        `/attention${cursor === "" ? "" : `?cursor=${cursor}`}`,
      );
      sizes.push(json.data.length);
      cursor = json.next;
    }
    expect(sizes).toEqual([100, 100, 50]);
  });

  it.each(["/attention?limit=5", "/attention?cursor=-"])("GET %s is refused", async (path) => {
    const { status, json } = await adminOf(await createBench())("GET", path);
    expect({ status, json }).toMatchObject({ status: 400, json: { code: "invalid_request" } });
  });
});
