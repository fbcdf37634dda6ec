import { describe, expect, it } from "vitest";
import { seqOf } from "../../../../src/outbox/model/delivery-state.ts";
import { timelineOf } from "../../../../src/outbox/operator/timeline.ts";
import { failure } from "../service.ts";
import { type Bench, createBench, event, update } from "../setup.ts";

const HOUR = 3_600_000;
const FREE = "ada@example.com";
const NEXT = "ada.new@example.com";
const BEFORE = "bob@example.com";

/** An email service with a contact for each of two users. It joins none. */
const serviceOf = (bench: Bench) => {
  const addresses = new Map([
    ["ada", FREE],
    ["bob", BEFORE],
  ]);
  const ownerOf = (email: unknown) => [...addresses].find(([, address]) => address === email)?.[0];
  bench.service.before = ({ method, path, body }) => {
    const { email, userId } = body as { email?: string; userId?: string };
    if (method === "GET") {
      const owner = userId ?? ownerOf(email);
      const address = addresses.get(owner ?? "");
      return Response.json(address === undefined ? [] : [{ id: `con_${owner}`, userId: owner, email: address }]);
    }
    if (path !== "/v1/contacts/update" || email === undefined || userId === undefined) return undefined;
    const owner = ownerOf(email);
    if (owner !== undefined && owner !== userId) return failure(400, "two contacts", {}, "contact_conflict");
    addresses.set(userId, email);
    return undefined;
  };
  return addresses;
};

const BOB = { userId: "bob", email: FREE };
const ADA = { userId: "ada", email: NEXT };
const questions = ({ service }: Bench) => service.received.filter(({ method }) => method === "GET").length;

/** Bob gets the address of Ada, and the webhook about Ada is still missing. */
const start = async () => {
  const bench = await createBench();
  const addresses = serviceOf(bench);
  const known = { links: [{ userId: "ada", email: FREE }], occurredAt: 1_000 };
  await bench.accept(known);
  const { id } = await bench.accept({ links: [BOB], occurredAt: 3_000, deliveries: [update(BOB, { city: "Oslo" })] });
  await bench.waitFor(() => expect(questions(bench)).toBe(1));
  await bench.pass(1_000);
  return { ...bench, addresses, id };
};
const adaLeaves = (bench: Bench) =>
  bench.accept({ links: [ADA], occurredAt: 2_000, deliveries: [update(ADA, { city: "Rome" })] });

describe("an address of a user that another user's contact still has", () => {
  it.each([10_000, HOUR, 60 * HOUR])("is taken at once when that one leaves it, after %s ms", async (later) => {
    const bench = await start();
    await bench.pass(later);
    expect(bench.addresses.get("bob")).toBe(BEFORE);
    await adaLeaves(bench);
    expect((await bench.deliveries(bench.id)).map(({ state }) => state)).toEqual(["done", "done"]);
    expect(Object.fromEntries(bench.addresses)).toEqual({ ada: NEXT, bob: FREE });
  });

  it("is asked for less and less often, and waits over a crash", async () => {
    const bench = await start();
    await bench.pass(10 * HOUR);
    expect(questions(bench)).toBeLessThan(25);
    await bench.crash();
    await adaLeaves(bench);
    await bench.pass(HOUR + 1_000);
    expect((await bench.deliveries(bench.id)).map(({ state }) => state)).toEqual(["done", "done"]);
    expect(Object.fromEntries(bench.addresses)).toEqual({ ada: NEXT, bob: FREE });
  });

  it("delays nothing else of the user, and the ledger says what it waits for", async () => {
    const bench = await start();
    const later = await bench.accept({ occurredAt: 4_000, deliveries: [event({ userId: "bob" })] });
    expect(await bench.deliveries(later.id)).toMatchObject([{ state: "done" }]);
    const { webhook, waits } = (await bench.ask((outbox) => outbox.show(seqOf(bench.id) ?? 0))) ?? {};
    if (!webhook || !waits) throw new Error("no webhook");
    expect(JSON.stringify(timelineOf(webhook, waits, bench.service.now()))).toContain(
      "The contact of another user still has the new address of this user",
    );
  });

  it("fails after 72 hours with its cause and cure, and a retry takes the address that is free by then", async () => {
    const bench = await start();
    await bench.pass(74 * HOUR);
    const [, merger] = (await bench.webhook(bench.id)).deliveries;
    expect(merger).toMatchObject({ rule: "former address", state: "failed" });
    expect(JSON.stringify(timelineOf(await bench.webhook(bench.id), [], bench.service.now()))).toContain(
      "Give the other contact its right address or delete it, then retry.",
    );
    const asked = questions(bench);
    await bench.pass(5 * HOUR);
    expect(questions(bench)).toBe(asked);
    bench.addresses.delete("ada");
    await bench.ask((outbox) => outbox.retry({ seq: seqOf(bench.id) ?? 0, index: 1 }));
    await bench.deliveries(bench.id);
    expect(Object.fromEntries(bench.addresses)).toEqual({ bob: FREE });
  });

  it("is given up when the user has yet another address", async () => {
    const bench = await start();
    const other = { userId: "bob", email: "bob.third@example.com" };
    await bench.accept({ links: [other], occurredAt: 4_000, deliveries: [update(other, {})] });
    await bench.pass(HOUR);
    expect((await bench.webhook(bench.id)).deliveries[1]).toMatchObject({ state: "replaced" });
    expect(Object.fromEntries(bench.addresses)).toEqual({ ada: FREE, bob: other.email });
  });
});
