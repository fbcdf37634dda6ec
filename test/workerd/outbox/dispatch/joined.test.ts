import { describe, expect, it } from "vitest";
import type { Delivery } from "../../../../src/outbox/model/journal-types.ts";
import { failure } from "../service.ts";
import { type Bench, createBench, event, holdFirstAnswer, mail, update } from "../setup.ts";

const ada = { email: "ada@example.com" };

const behindOne = async (bench: Bench, work: () => Promise<string[]>) => {
  const open = holdFirstAnswer(bench);
  const first = await bench.accept({ occurredAt: 1_000, deliveries: [update(ada, { first: true })] });
  await bench.waitFor(() => expect(bench.service.received).toHaveLength(1));
  const ids = await work();
  open();
  await bench.deliveries(first.id);
  const settled = [];
  for (const id of ids) settled.push((await bench.deliveries(id))[0]);
  return { ids, settled };
};

describe("waiting updates of one person", () => {
  it("leave in one request, and each webhook shows it", async () => {
    const bench = await createBench();
    const { ids, settled } = await behindOne(bench, async () => {
      const list = [];
      for (let n = 0; n < 10; n++)
        list.push((await bench.accept({ occurredAt: 2_000 + n, deliveries: [update(ada, { n, [`p${n}`]: n })] })).id);
      return list;
    });
    expect(bench.service.acted).toHaveLength(2);
    expect(bench.service.acted[1]?.body.properties).toMatchObject({ n: 9, p0: 0, p9: 9 });
    expect(settled.map((delivery) => delivery?.state)).toEqual(Array(10).fill("done"));
    expect(settled.map((delivery) => delivery?.sentWith)).toEqual([undefined, ...Array(9).fill(ids[0])]);
    expect(settled[9]?.attempts).toMatchObject([{ status: 200 }]);
  });

  it("do not join across an event, nor with other identifiers of the same person", async () => {
    const bench = await createBench();
    await bench.accept({ source: "clerk", links: [{ ...ada, userId: "u1" }] });
    await behindOne(bench, async () => {
      const of = async (delivery: ReturnType<typeof update>, at: number) =>
        (await bench.accept({ occurredAt: at, deliveries: [delivery] })).id;
      return [
        await of(update(ada, { a: 1 }), 2_000),
        await of(event(ada), 2_001),
        await of(update(ada, { b: 1 }), 2_002),
        await of(update({ userId: "u1" }, { c: 1 }), 2_003),
      ];
    });
    expect(bench.service.acted.map(({ path, body }) => [path, body.properties])).toEqual([
      ["/v1/contacts/update", { first: true }],
      ["/v1/contacts/update", { a: 1 }],
      ["/v1/events/send", undefined],
      ["/v1/contacts/update", { b: 1 }],
      ["/v1/contacts/update", { c: 1 }],
    ]);
  });

  it("keep the newest value of each property; no value is dropped for one that has not landed yet", async () => {
    const bench = await createBench();
    const { settled } = await behindOne(bench, async () => {
      const list = [];
      for (const [at, rank, plan] of [
        [5_000, 2, "updated"],
        [5_000, 1, "created"],
        [4_000, 9, "older"],
        [5_000, 2, "updated again"],
      ] as const)
        list.push((await bench.accept({ occurredAt: at, rank, deliveries: [update(ada, { plan })] })).id);
      return list;
    });
    const plans = bench.service.acted.slice(1).map(({ body }) => (body.properties as { plan: string }).plan);
    expect(plans).toEqual(["updated", "updated again"]);
    expect(settled.map((delivery) => delivery?.state)).toEqual(["done", "replaced", "replaced", "done"]);
  });

  it("leave one by one after a refusal of the joined request: the bad one has failed, the others land", async () => {
    const bench = await createBench();
    const open = holdFirstAnswer(bench);
    const { before } = bench.service;
    bench.service.before = async (request) => {
      const early = await before(request);
      const properties = (request.body.properties ?? {}) as Record<string, unknown>;
      return "bad" in properties ? failure(400, 'There is no property "bad".') : early;
    };
    const first = await bench.accept({ deliveries: [update(ada, { first: true })] });
    await bench.waitFor(() => expect(bench.service.received).toHaveLength(1));
    const ids = [];
    for (const properties of [{ a: 1 }, { bad: 1 }, { c: 1 }] as Record<string, number>[])
      ids.push((await bench.accept({ deliveries: [update(ada, properties)] })).id);
    open();
    await bench.deliveries(first.id);
    const settled = [];
    for (const id of ids) settled.push((await bench.deliveries(id))[0]);
    expect(settled.map((delivery) => delivery?.state)).toEqual(["done", "failed", "done"]);
    expect(settled[1]).toMatchObject({ message: 'There is no property "bad".', attempts: [{ status: 400 }] });
    expect(settled[0]?.attempts).toMatchObject([
      { status: 400, message: expect.stringContaining("together with 2 more") },
      { status: 200 },
    ]);
    expect(bench.service.acted.map(({ body }) => body.properties)).toEqual([{ first: true }, { a: 1 }, { c: 1 }]);
  });

  it("are not lost by a crash while they are in flight", async () => {
    const bench = await createBench();
    const open = holdFirstAnswer(bench);
    await bench.accept({ deliveries: [update(ada, { first: true })] });
    await bench.waitFor(() => expect(bench.service.received).toHaveLength(1));
    const ids = [];
    for (let n = 0; n < 5; n++) ids.push((await bench.accept({ deliveries: [update(ada, { [`p${n}`]: n })] })).id);
    bench.service.before = () => (bench.service.received.length === 2 ? "hang" : undefined);
    open();
    await bench.waitFor(() => expect(bench.service.received).toHaveLength(2));
    await bench.crash();
    await bench.accept();
    const isDone = ([delivery]: Delivery[]) => delivery?.state === "done";
    for (const id of ids) expect((await bench.deliveries(id, isDone))[0]).toMatchObject({ state: "done" });
    const landed = Object.assign({}, ...bench.service.acted.map(({ body }) => body.properties));
    expect(landed).toMatchObject({ p0: 0, p1: 1, p2: 2, p3: 3, p4: 4 });
  });
});

describe("many webhooks at once", () => {
  it("one that cannot be written fails alone", async () => {
    const bench = await createBench();
    const bad = { type: null as unknown as string };
    const [good, failed, other] = await Promise.allSettled([
      bench.request([{ deliveries: [mail(ada)] }]),
      bench.request([bad]),
      bench.request([{}]),
    ]);
    expect([good.status, failed.status, other.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await bench.kept()).toBe(2);
  });
});
