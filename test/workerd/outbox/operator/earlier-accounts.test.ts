import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import type { PersonQuery } from "../../../../src/outbox/identity/person-search.ts";
import { type Bench, createBench, event, mail, update } from "../setup.ts";

const ADA = "ada@example.com";
const erase = (bench: Bench, who: PersonQuery, dryRun = false) =>
  bench.ask((outbox) => outbox.erase(who, undefined, { dryRun }));

const disk = (bench: Bench): Promise<string> =>
  runInDurableObject(bench.stub(), (_, { storage: { sql } }) =>
    JSON.stringify(["webhooks", "contacts"].map((table) => sql.exec(`SELECT * FROM ${table}`).toArray())),
  );

/** User `old_account` had the address and a customer. Then `new_account` signed up with the same address. */
const twoAccounts = async (): Promise<Bench> => {
  const bench = await createBench();
  await bench.accept({ occurredAt: 1_000, links: [{ userId: "old_account", email: ADA }] });
  await bench.accept({ occurredAt: 2_000, links: [{ userId: "old_account", ref: "stripe:cus_of_old" }] });
  const old = await bench.accept({
    raw: '{"customer":"cus_of_old","name":"Lovelace"}',
    deliveries: [update({ ref: "stripe:cus_of_old" }, { city: "Old-Town" }), event({ userId: "old_account" })],
  });
  await bench.deliveries(old.id);
  await bench.accept({ occurredAt: 3_000, links: [{ userId: "new_account", email: ADA }] });
  return bench;
};

describe("erase, where the address had an earlier account", () => {
  it.each<PersonQuery>([{ email: ADA }, { userId: "new_account" }])(
    "%o reaches what is stored of the earlier account by its ids only",
    async (who) => {
      const bench = await twoAccounts();
      const found = await bench.stub().searchWebhooks({ who }, { limit: 10 });
      expect(found.webhooks).toHaveLength(1);
      const told = await erase(bench, who);
      expect(told).toMatchObject({ webhooks: 1, deliveries: 2, apart: [] });
      expect(told.reached).toEqual([
        ...(who.email ? [{ email: ADA }, { userId: "new_account" }] : [{ userId: "new_account" }, { email: ADA }]),
        { userId: "old_account", earlier: true },
        { ref: "stripe:cus_of_old", earlier: true },
      ]);
      expect(await disk(bench)).not.toMatch(/ada@|old_account|new_account|cus_of_old|Lovelace|Old-Town/i);
    },
  );

  it("of the earlier account by its id leaves the present account, and the dry run says so", async () => {
    const bench = await twoAccounts();
    const dry = await erase(bench, { userId: "old_account" }, true);
    expect(dry.reached).toEqual([{ userId: "old_account" }, { ref: "stripe:cus_of_old" }]);
    expect(dry.apart).toEqual([expect.stringMatching(/^ada@example\.com was .* belongs to user new_account now/)]);
    await erase(bench, { userId: "old_account" });
    const left = await disk(bench);
    expect(left).not.toMatch(/old_account|cus_of_old|Lovelace|Old-Town/);
    expect(left).toMatch(/new_account/);
    expect(left).toMatch(/ada@example/);
  });

  it("leaves a user who has another address now, but for what has the erased one; the dry run names that user", async () => {
    const bench = await createBench();
    await bench.accept({ occurredAt: 1_000, links: [{ userId: "moved_user", email: ADA }] });
    const then = await bench.accept({
      deliveries: [update({ userId: "moved_user", email: ADA }, { city: "Then-Town" })],
    });
    await bench.accept({ occurredAt: 2_000, links: [{ userId: "moved_user", email: "moved@example.com" }] });
    await bench.accept({ occurredAt: 3_000, links: [{ userId: "new_account", email: ADA }] });
    const now = await bench.accept({ deliveries: [update({ userId: "moved_user" }, { city: "Now-Town" })] });
    await Promise.all([bench.deliveries(then.id), bench.deliveries(now.id)]);

    const dry = await erase(bench, { email: ADA }, true);
    expect(dry.reached).toEqual([{ email: ADA }, { userId: "new_account" }]);
    expect(dry.apart).toEqual([expect.stringMatching(/^User moved_user had the address in webhooks/)]);
    await erase(bench, { email: ADA });
    const left = await disk(bench);
    expect(left).not.toMatch(/ada@|Then-Town|new_account/);
    expect(left).toMatch(/Now-Town/);
    expect(left).toMatch(/moved@example\.com/);
  });

  it("leaves a user whose purchase named the address, but for what has it; the dry run names that user", async () => {
    const bench = await createBench();
    await bench.accept({ links: [{ userId: "boss_account", email: ADA }] });
    await bench.accept({ links: [{ userId: "buyer_account", email: ADA, strength: "purchase" }] });
    const { id } = await bench.accept({ deliveries: [update({ userId: "buyer_account" }, { city: "Buyer-Town" })] });
    await bench.deliveries(id);
    const dry = await erase(bench, { email: ADA }, true);
    expect(dry.reached).toEqual([{ email: ADA }, { userId: "boss_account" }]);
    expect(dry.apart).toEqual([expect.stringMatching(/^User buyer_account has the address from a purchase/)]);
    await erase(bench, { email: ADA });
    const left = await disk(bench);
    expect(left).not.toMatch(/ada@|boss_account/);
    expect(left).toMatch(/Buyer-Town/);
  });

  it("erases the address, and the values kept with it, from the waiting delivery of its former user", async () => {
    const bench = await createBench();
    await bench.stub().pause(undefined, true);
    await bench.accept({ occurredAt: 1_000, links: [{ userId: "moved_user", email: ADA }] });
    const moved = await bench.accept({
      occurredAt: 2_000,
      links: [{ userId: "moved_user", email: "moved@example.com" }],
      deliveries: [mail({ email: "moved@example.com" })],
    });
    await bench.accept({ occurredAt: 3_000, links: [{ userId: "new_account", email: ADA }] });
    expect(await bench.deliveries(moved.id, (deliveries) => deliveries.length === 2)).toContainEqual(
      expect.objectContaining({ former: expect.objectContaining({ email: ADA }) }),
    );
    expect(await erase(bench, { email: ADA })).toMatchObject({ webhooks: 1, discarded: 1 });
    expect(await disk(bench)).not.toMatch(/ada@|new_account/);
    await bench.stub().pause(undefined, false);
    await bench.deliveries(moved.id);
    expect(bench.service.received.map(({ path }) => path)).toEqual(["/v1/transactional"]);
  });

  it("keeps no address in the key of a delivery for a former address", async () => {
    const bench = await createBench();
    await bench.accept({ occurredAt: 2_000, links: [{ userId: "user_ada_1", email: "ada@work.example" }] });
    const { id } = await bench.accept({ occurredAt: 1_000, links: [{ userId: "user_ada_1", email: ADA }] });
    await bench.deliveries(id, ([delivery]) => delivery?.rule === "former address" && delivery.state === "done");
    expect(await disk(bench)).not.toMatch(/former address\W+ada/);
    await erase(bench, { userId: "user_ada_1" });
    expect(await disk(bench)).not.toMatch(/ada@/);
  });
});
