import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it, vi } from "vitest";
import type { PersonQuery } from "../../../../src/outbox/identity/person-search.ts";
import { adminOf } from "../admin.ts";
import { failure } from "../service.ts";
import { type Bench, createBench, event, mail, update } from "../setup.ts";

const erase = async (bench: Bench, who: PersonQuery, before?: number) =>
  bench.ask((outbox) => outbox.erase(who, before));

const disk = (bench: Bench): Promise<string> =>
  runInDurableObject(bench.stub(), (_, { storage: { sql } }) =>
    JSON.stringify(
      ["webhooks", "contacts", "refusals", "kv"].map((table) => sql.exec(`SELECT * FROM ${table}`).toArray()),
    ),
  );

describe("a row that cannot be read", () => {
  it.each([
    ["no JSON", "[{"],
    ["deliveries without what delivery goes by", '[{"[erased]":{"email":"bob@example.com"},"state":"waiting"}]'],
    ["no list", "7"],
  ])("(%s) is shown as unreadable and left out; everything else goes on, after a restart too", async (_, text) => {
    const bench = await createBench();
    await bench.stub().pause(undefined, true);
    const bad = await bench.accept({ raw: '{"a":"secret"}', deliveries: [mail({ email: "ada@example.com" })] });
    const good = await bench.accept({ deliveries: [mail({ email: "bob@example.com" })] });
    const seq = Number.parseInt(bad.id.slice(3), 36);
    await runInDurableObject(bench.stub(), (_, { storage }) => {
      storage.sql.exec("UPDATE webhooks SET deliveries = ? WHERE seq = ?", text, seq);
    });
    const log = vi.spyOn(console, "log");
    await bench.crash();
    expect(log.mock.calls.flat()).toContain(JSON.stringify({ event: "webhook_unreadable", id: bad.id }));
    log.mockRestore();
    await bench.stub().pause(undefined, false);
    expect(await bench.deliveries(good.id)).toMatchObject([{ state: "done" }]);

    expect(await bench.stub().show(seq)).toMatchObject({ webhook: { unreadable: true, deliveries: [], body: "" } });
    const found = await bench.stub().searchWebhooks({}, { limit: 10 });
    expect(found.webhooks).toMatchObject([{ webhook: { seq: expect.any(Number) } }, { webhook: { unreadable: true } }]);
    expect((await bench.stub().searchDeliveries({}, { limit: 10 })).deliveries).toHaveLength(1);
    expect(await bench.stub().storedOne(seq)).toMatchObject({ webhooks: [], gone: [{ seq, why: "unreadable" }] });
    expect(await bench.stub().retry({ seq, index: 0 })).toMatchObject({ refusal: { code: "not_found" } });
    await erase(bench, { email: "nobody@example.com" });
  });
});

describe("erase", () => {
  it("leaves nothing on disk that names the person or a property; counts, states and times stay", async () => {
    const bench = await createBench();
    await bench.accept({
      raw: '{"name":"Ada Lovelace","email":"Ada@Example.com"}',
      links: [
        { userId: "user_ada_1", email: "Ada@Example.com", ref: "stripe:cus_ada_1" },
        { userId: "user_ada_1", email: "ada@work.example" },
      ],
    });
    const { id } = await bench.accept({
      raw: '{"name":"Ada Lovelace"}',
      outcomes: [{ rule: "x", outcome: "failed", message: "no plan for ada@example.com" }],
      deliveries: [
        update({ email: "ada@example.com" }, { firstName: "Lovelace", plan: "secret-plan" }),
        event({ userId: "user_ada_1" }),
        mail({ email: "ada@work.example" }, { amount: "$77.77" }),
        update({ ref: "stripe:cus_ada_1" }, { city: "Lovelace-Town" }),
      ],
    });
    bench.service.before = ({ path }) =>
      path === "/v1/events/send" ? failure(400, "user_ada_1 and ada@example.com are two") : undefined;
    const before = await bench.deliveries(id);
    const by = await bench.accept({
      raw: '{"by":"ada%40example.com"}',
      deliveries: [mail({ email: "bob@example.com" }, { amount: "invited by ada@example.com" })],
    });
    await bench.deliveries(by.id);
    expect(await disk(bench)).toMatch(/ada@example\.com/i);

    const told = await erase(bench, { email: "ADA@example.com" });
    expect(told).toMatchObject({ webhooks: 3, deliveries: 4, discarded: 0 });
    expect(told.reached).toHaveLength(4);
    expect(told.links).toBeGreaterThanOrEqual(4);
    expect(told).not.toHaveProperty("next");
    const left = await disk(bench);
    expect(left).not.toMatch(/ada@|ada%40|user_ada|cus_ada|lovelace|secret-plan|pro"|77\.77/i);
    expect(left).toMatch(/bob@example\.com/);

    const after = await bench.deliveries(id);
    const kept = ({ state, key, due, settledAt, attempts }: (typeof after)[number]) => ({
      state,
      key,
      due,
      settledAt,
      attempts: attempts.map(({ at, ms, status }) => ({ at, ms, status })),
    });
    expect(after.map(kept)).toEqual(before.map(kept));
    expect(after[0]).toMatchObject({ contact: { email: "[erased]" }, properties: { plan: "[erased]" } });
    expect(await bench.deliveries(by.id)).toMatchObject([
      { contact: { email: "bob@example.com" }, dataVariables: { amount: "invited by [erased]" } },
    ]);
    expect((await bench.stub().searchWebhooks({ who: { email: "ada@example.com" } }, { limit: 10 })).webhooks).toEqual(
      [],
    );
  });

  it("reaches bodies that have the address encoded only, whatever the person's own webhooks say", async () => {
    const bench = await createBench();
    await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    const text = '{"email":"ada@example.com","name":"Ada Lovelace"}';
    const encoded = [
      { token: btoa(text) },
      { token: btoa(` ${text}`) },
      { token: btoa(`  ${text}`) },
      { html: "<p>ada&#64;example.com Lovelace</p>" },
      { inner: text.replace("@", "\\u0040") },
      { url: "https://a.example/?e=ada%40example.com&n=Lovelace" },
      { text: "--ada@example.com--" },
    ];
    const bodies = await bench.acceptAll(encoded.map((body) => ({ raw: JSON.stringify({ ...body, n: "Lovelace" }) })));
    const other = await bench.accept({ raw: JSON.stringify({ token: btoa('{"email":"jean-ada@example.com"}') }) });
    expect(await erase(bench, { email: "ada@example.com" })).toMatchObject({ webhooks: 1 + encoded.length });
    for (const { id } of bodies) expect((await bench.webhook(id)).body).not.toMatch(/Lovelace|token/);
    expect((await bench.webhook(other.id)).body).toContain("token");
  });

  it("ends open deliveries first, so that nothing is sent afterwards, also after a crash", async () => {
    const bench = await createBench();
    await bench.stub().pause(undefined, true);
    const { id } = await bench.accept({
      links: [{ ref: "stripe:cus_ada_1", email: "ada@example.com" }],
      deliveries: [mail({ email: "ada@example.com" }), update({ ref: "stripe:cus_ada_1" }, { plan: "pro" })],
    });
    const other = await bench.accept({ deliveries: [mail({ email: "bob@example.com" })] });
    expect(await erase(bench, { email: "ada@example.com" })).toMatchObject({ deliveries: 2, discarded: 2 });
    expect(await bench.deliveries(id)).toMatchObject([
      { state: "failed", acts: [{ act: "erase", state: "waiting" }] },
      { state: "failed" },
    ]);
    expect((await bench.stub().status()).waiting).toBe(1);
    await bench.crash();
    await bench.stub().pause(undefined, false);
    await bench.deliveries(other.id);
    expect(bench.service.received).toHaveLength(1);
    const retried = await bench.stub().retry({ seq: Number.parseInt(id.slice(3), 36), index: 0 });
    expect(retried).toMatchObject({ refusal: { code: "not_retryable" } });
  });

  it("the first request also ends open deliveries far back in the journal", async () => {
    const bench = await createBench();
    await bench.stub().pause(undefined, true);
    const { id } = await bench.accept({
      deliveries: [mail({ email: "ada@example.com" }), update({ email: "ada@example.com" }, { plan: "pro" })],
    });
    await bench.acceptAll(Array.from({ length: 2_100 }, () => ({})));
    const first = await erase(bench, { email: "ada@example.com" });
    expect(first.next).toBeDefined();
    expect((await bench.deliveries(id)).map(({ state }) => state)).toEqual(["failed", "failed"]);
  });

  it("is not finished while a delivery of the person is in flight, because its result names the person again", async () => {
    const bench = await createBench();
    let answers = false;
    bench.service.before = async () => {
      while (!answers) await bench.service.sleep(5);
      return undefined;
    };
    const { id } = await bench.accept({ deliveries: [update({ email: "ada@example.com" }, { plan: "pro" })] });
    await bench.deliveries(id, ([delivery]) => delivery?.state === "sending");
    const first = await erase(bench, { email: "ada@example.com" });
    expect(first.next).toBeDefined();
    answers = true;
    await bench.waitFor(async () => expect((await bench.stub().status()).waiting).toBe(0));
    const contacts = (sql: SqlStorage) => sql.exec("SELECT * FROM contacts").toArray();
    expect(await runInDurableObject(bench.stub(), (_, { storage }) => contacts(storage.sql))).toEqual([]);
    const second = await erase(bench, { email: "ada@example.com" }, first.next);
    expect(second.next).toBeUndefined();
    expect(await disk(bench)).not.toMatch(/ada@example/);
    expect(await bench.deliveries(id)).toMatchObject([
      { state: "done", contact: { email: "[erased]" }, attempts: [{ status: 200 }], acts: [{ act: "erase" }] },
    ]);
    expect(await runInDurableObject(bench.stub(), (_, { storage }) => contacts(storage.sql))).toEqual([]);
  });

  it("records the failed attempt of a delivery that was in flight, and does not retry it", async () => {
    const bench = await createBench();
    let answers = false;
    bench.service.before = async () => {
      while (!answers) await bench.service.sleep(5);
      return failure(502, "ada@example.com is out of reach");
    };
    const { id } = await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    await bench.deliveries(id, ([delivery]) => delivery?.state === "sending");
    const first = await erase(bench, { email: "ada@example.com" });
    expect(first.next).toBeDefined();
    answers = true;
    await bench.waitFor(async () => expect((await bench.stub().status()).waiting).toBe(0));
    // Something in front of the email service may have answered: until then, the mail may still reach it.
    expect((await erase(bench, { email: "ada@example.com" }, first.next)).late).toBeDefined();
    await bench.pass(121_000);
    expect((await erase(bench, { email: "ada@example.com" }, first.next)).next).toBeUndefined();
    expect(await bench.deliveries(id)).toMatchObject([
      { state: "failed", attempts: [{ status: 502 }], unknownSince: expect.any(Number) },
    ]);
    expect(bench.service.received).toHaveLength(1);
    expect(await disk(bench)).not.toMatch(/ada@example/);
  });

  it.each([
    "contact",
    "waiting",
    "action",
    "receipt",
    "transactional",
    "stripe",
    "attempts",
    "message",
    "blocked",
    "limit",
  ])("of somebody whose id is a word of ours (%s) leaves the ledger whole, also after a restart", async (userId) => {
    const bench = await createBench();
    await bench.accept({ links: [{ userId, email: "ada@example.com" }] });
    await bench.stub().pause(undefined, true);
    const deliveries = [
      mail({ email: "bob@example.com" }),
      update({ ref: "stripe:cus_bob_1" }, { contact: "no", plan: "pro" }),
      event({ userId: "bob_1" }, "receipt"),
    ];
    const { id } = await bench.accept({ raw: '{"contact":{"waiting":1},"to":"bob@example.com"}', deliveries });
    const before = await bench.webhook(id);
    const told = await erase(bench, { email: "ada@example.com" });
    expect(told).toMatchObject({ deliveries: 0, discarded: 0 });
    expect(await bench.webhook(id)).toEqual(before);
    await bench.crash();
    expect(await bench.webhook(id)).toEqual(before);
    await bench.stub().pause(undefined, false);
    await bench.deliveries(id, ([one, , other]) => one?.state === "done" && other?.state === "done");
    const { deliveries: shown } = await bench.stub().searchDeliveries({}, { limit: 10 });
    expect(shown).toHaveLength(3);
  });

  it("finds an id that is a number as a number, and erases it from values", async () => {
    const bench = await createBench();
    const body = await bench.accept({ raw: '{"id":123456,"name":"Lovelace"}' });
    const { id } = await bench.accept({
      deliveries: [update({ userId: "123456" }, { number: 123456, note: "no 123456" })],
    });
    const others = await bench.accept({
      deliveries: [update({ userId: "bob_1" }, { friend: 123456, seats: 1234567 })],
    });
    await Promise.all([bench.deliveries(id), bench.deliveries(others.id)]);
    expect(await erase(bench, { userId: "123456" })).toMatchObject({ webhooks: 3, deliveries: 1 });
    expect((await bench.webhook(body.id)).body).toBe('"[erased]"');
    expect(await bench.deliveries(others.id)).toMatchObject([{ properties: { friend: "[erased]", seats: 1234567 } }]);
    expect(await disk(bench)).not.toMatch(/123456\b/);
  });

  it("matches a short id with whole values of bodies only, and leaves counts in deliveries of other people", async () => {
    const bench = await createBench();
    const body = await bench.accept({ raw: '{"customer":{"id":42}}' });
    const other = await bench.accept({ raw: '{"id":"42 km"}', deliveries: [update({ userId: "bob" }, { seats: 42 })] });
    await bench.deliveries(other.id);
    expect(await erase(bench, { userId: "42" })).toMatchObject({ webhooks: 1, deliveries: 0 });
    expect((await bench.webhook(body.id)).body).toBe('"[erased]"');
    expect(await bench.webhook(other.id)).toMatchObject({
      body: '{"id":"42 km"}',
      deliveries: [{ properties: { seats: 42 } }],
    });
  });

  it("erases in a very deeply nested body", async () => {
    const bench = await createBench();
    const deep = (inner: string) => `${'{"a":['.repeat(20_000)}${inner}${"]}".repeat(20_000)}`;
    const { id } = await bench.accept({ raw: deep('"ada@example.com"') });
    const other = await bench.accept({ raw: deep('"bob@example.com"') });
    expect(await erase(bench, { email: "ada@example.com" })).toMatchObject({ webhooks: 1 });
    expect((await bench.webhook(id)).body).toBe('"[erased]"');
    expect((await bench.webhook(other.id)).body).toBe(deep('"bob@example.com"'));
  });

  it("discards another person's waiting mail that names the person, instead of sending it with a gap; a dry run counts it", async () => {
    const bench = await createBench();
    await bench.stub().pause(undefined, true);
    const { id } = await bench.accept({
      deliveries: [mail({ email: "bob@example.com" }, { amount: "invited by ada@example.com" })],
    });
    const own = await bench.accept({ deliveries: [mail({ email: "ada@example.com" })] });
    const before = await disk(bench);
    const dry = await bench.ask((outbox) => outbox.erase({ email: "ada@example.com" }, undefined, { dryRun: true }));
    expect(dry).toMatchObject({ webhooks: 2, deliveries: 1, discarded: 2 });
    expect(await disk(bench)).toBe(before);
    expect((await bench.stub().status()).waiting).toBe(2);

    expect(await erase(bench, { email: "ada@example.com" })).toMatchObject({
      webhooks: 2,
      deliveries: 1,
      discarded: 2,
    });
    await bench.stub().pause(undefined, false);
    expect(await bench.deliveries(id)).toMatchObject([
      {
        state: "failed",
        message: expect.stringContaining("names a person who was erased"),
        acts: [{ act: "erase" }],
      },
    ]);
    await bench.deliveries(own.id);
    expect(bench.service.received).toEqual([]);
    expect(await disk(bench)).not.toMatch(/ada@/);
  });

  it.each([true, false])(
    "counts a person, a webhook and a delivery once over several slices: dry run %s",
    async (dryRun) => {
      const bench = await createBench();
      const ask = adminOf(bench);
      await bench.ask((outbox) => outbox.pause(undefined, true));
      const person = { email: "ada@example.com", userId: "user_ada" };
      await bench.accept({ deliveries: [update(person, { plan: "pro" }), mail(person)] });
      await runInDurableObject(bench.stub(), (_, { storage }) => {
        for (let n = 0; n < 1_600; n++)
          storage.sql.exec(
            `INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, outcomes, deliveries, open)
           VALUES (?, 's', ?, 't', 0, 0, 0, ?, '[]', '[]', 0)`,
            1_700_000_000_000_000 + n,
            `e${n}`,
            n % 400 === 0 ? '{"to":"ada@example.com"}' : "{}",
          );
      });
      const sums: Record<string, number> = {};
      let slices = 0;
      for (let cursor: string | null = ""; cursor !== null; slices++) {
        const given: object = { email: person.email, dryRun, ...(cursor === "" ? {} : { cursor }) };
        const { json } = await ask<{ erased: Record<string, number>; next: string | null }>("POST", "/erase", given);
        for (const [what, count] of Object.entries(json.erased)) sums[what] = (sums[what] ?? 0) + count;
        cursor = json.next;
      }
      expect(slices).toBeGreaterThan(2);
      expect(sums).toMatchObject({ identifiers: 1, webhooks: 5, deliveries: 2, discarded: 2 });
    },
  );

  it("goes through a large journal in slices and finishes", async () => {
    const bench = await createBench();
    await runInDurableObject(bench.stub(), (_, { storage }) => {
      for (let n = 0; n < 2_100; n++) {
        storage.sql.exec(
          `INSERT INTO webhooks (seq, source, event_id, type, occurred_at, rank, test, body, outcomes, deliveries, open)
           VALUES (?, 's', ?, 't', 0, 0, 0, '{"to":"ada@example.com"}', '[]', '[]', 0)`,
          1_700_000_000_000_000 + n,
          `e${n}`,
        );
      }
    });
    let webhooks = 0;
    let requests = 0;
    let before: number | undefined;
    do {
      const told = await erase(bench, { email: "ada@example.com" }, before);
      webhooks += told.webhooks;
      before = told.next;
    } while (++requests < 10 && before !== undefined);
    expect({ webhooks, requests }).toEqual({ webhooks: 2_100, requests: 5 });
    expect(await disk(bench)).not.toMatch(/ada@example/);
  }, 30_000);

  it("leaves one-time secrets of another person's open delivery, which are erased when that delivery settles", async () => {
    const bench = await createBench();
    await bench.stub().pause(undefined, true);
    const { id } = await bench.accept({
      raw: '{"token":"305805","by":"ada@example.com"}',
      secretPaths: ["token"],
      deliveries: [mail({ email: "ada@example.com" }), mail({ email: "bob@example.com" }, { amount: "305805" })],
    });
    await erase(bench, { email: "ada@example.com" });
    expect((await bench.webhook(id)).body).toBe('{"token":"305805","by":"[erased]"}');
    await bench.stub().pause(undefined, false);
    expect(await bench.deliveries(id)).toMatchObject([{ state: "failed" }, { state: "done" }]);
    expect(await disk(bench)).not.toMatch(/305805|ada@/);
  });

  it("leaves no one-time secret behind in a delivery that it ends", async () => {
    const bench = await createBench();
    await bench.stub().pause(undefined, true);
    const { id } = await bench.accept({
      raw: '{"token":"TOKEN-abcdef","by":"ada@example.com"}',
      secretPaths: ["token"],
      deliveries: [mail({ email: "bob@example.com" }, { amount: "https://a/?t=TOKEN-abcdef&by=ada@example.com" })],
    });
    await erase(bench, { email: "ada@example.com" });
    expect((await bench.webhook(id)).deliveries).toMatchObject([{ state: "failed" }]);
    expect(await disk(bench)).not.toMatch(/TOKEN|ada@/);
  });

  it("recognizes a short id by its key: a count with the same value stays", async () => {
    const bench = await createBench();
    const other = await bench.accept({ raw: '{"customer":"bob_1","quantity":1,"items":[1,"1"]}' });
    const own = await bench.accept({ raw: '{"user":{"id":1},"user_id":"1","quantity":1}' });
    await erase(bench, { userId: "1" });
    expect((await bench.webhook(other.id)).body).toBe('{"customer":"bob_1","quantity":1,"items":[1,"1"]}');
    expect((await bench.webhook(own.id)).body).not.toContain('"id":1');
  });

  it.each(["/x?next=%2Fu%3Femail%3Dada%40example.com", "a%20ada@example.com", "next=%3Femail%3Dada%2540example.com"])(
    "finds the person in an address in an address: %s",
    async (url) => {
      const bench = await createBench();
      await bench.accept({ raw: JSON.stringify({ url }), links: [{ ref: "s:c1", email: "ada@example.com" }] });
      expect(await erase(bench, { email: "ada@example.com" })).toMatchObject({ webhooks: 1 });
      expect(await disk(bench)).not.toMatch(/ada/);
    },
  );

  it("does not erase another person", async () => {
    const bench = await createBench();
    const raw = '{"to":"xada@example.com","cc":"ada@example.com.au","id":"user_ada_11"}';
    const { id } = await bench.accept({
      raw,
      links: [{ userId: "user_ada_1", email: "ada@example.com" }],
      deliveries: [mail({ email: "xada@example.com" })],
    });
    await bench.deliveries(id);
    expect(await erase(bench, { email: "ada@example.com" })).toMatchObject({ webhooks: 0, deliveries: 0 });
    expect(await bench.webhook(id)).toMatchObject({
      body: raw,
      deliveries: [{ contact: { email: "xada@example.com" } }],
    });
  });
});
