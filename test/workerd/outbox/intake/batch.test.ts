import { describe, expect, it } from "vitest";
import { createBench, event, mail } from "../setup.ts";

const digest = (letter: string) => ({ eventId: letter.repeat(64), digest: true });

describe("several webhooks in one request", () => {
  it("are accepted in their order, each with its receipt, and delivered", async () => {
    const bench = await createBench();
    const contact = { email: "ada@example.com" };
    const receipts = await bench.acceptAll([
      { ...digest("a"), deliveries: [event(contact, "first")] },
      { ...digest("b"), deliveries: [event(contact, "second"), mail(contact)] },
      { ...digest("c") },
    ]);
    expect(receipts.map(({ duplicate, deliveries }) => [duplicate, deliveries])).toEqual([
      [false, 1],
      [false, 2],
      [false, 0],
    ]);
    for (const { id } of receipts.slice(0, 2)) {
      expect((await bench.deliveries(id)).every(({ state }) => state === "done")).toBe(true);
    }
    const after = await bench.accept();
    const ids = [...receipts, after].map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    expect([...ids].sort()).toEqual(ids);
  });

  it("are new or duplicate each by itself, within the request and over its retries", async () => {
    const bench = await createBench();
    const [a, again, b] = await bench.acceptAll([digest("a"), digest("a"), digest("b")]);
    expect([a?.duplicate, again?.duplicate, b?.duplicate]).toEqual([false, true, false]);
    expect(again?.id).toBe(a?.id);
    const retried = await bench.acceptAll([digest("b"), digest("a"), digest("c")]);
    expect(retried.map(({ id, duplicate }) => [id === b?.id || id === a?.id, duplicate])).toEqual([
      [true, true],
      [true, true],
      [false, false],
    ]);
  });

  it("are journaled all or not at all", async () => {
    const bench = await createBench();
    const broken = { ...digest("b"), raw: undefined as unknown as string, outcomes: 1n as never };
    const failed = await bench.inside(({ engine }) =>
      engine
        .accept([
          { ...base, ...digest("a") },
          { ...base, ...broken },
        ])
        .then(
          () => "accepted",
          () => "failed",
        ),
    );
    expect(failed).toBe("failed");
    expect(await bench.kept()).toBe(0);
    expect((await bench.accept(digest("a"))).duplicate).toBe(false);
  });
});

const base = {
  source: "okta",
  type: "user.session.start",
  occurredAt: 1_700_000_000_000,
  rank: 0,
  test: false,
  raw: "{}",
  deliveries: [],
  outcomes: [],
  links: [],
  secretPaths: [],
};

describe("a webhook that arrives alone", () => {
  it("is committed at once, without a wait for others", async () => {
    const bench = await createBench(({ sleep }) => ({
      sleep: (ms) => (ms === 0 ? new Promise(() => {}) : sleep(ms)),
    }));
    expect(await bench.accept({ eventId: "evt_1" })).toMatchObject({ duplicate: false });
    await bench.pass(5);
    expect(await bench.accept({ eventId: "evt_2" })).toMatchObject({ duplicate: false });
    expect(await bench.kept()).toBe(2);
  });
});

describe("webhooks that arrive while a commit becomes durable", () => {
  it("share the next commit", async () => {
    const commits: number[] = [];
    const bench = await createBench(({ disk }) => ({ disk: { ...disk, sync: () => new Promise(() => {}) } }));
    await bench.inside(({ engine }) =>
      engine.subscribe((seen) => {
        if (seen.kind === "webhooks") commits.push(seen.webhooks.length);
      }),
    );
    await bench.accept({ eventId: "evt_0" });
    await bench.pass(100);
    await bench.inside(async ({ engine }) => {
      await Promise.all(
        ["evt_1", "evt_2", "evt_3"].map((eventId) => engine.accept([{ ...base, eventId, digest: false }])),
      );
    });
    expect(commits).toEqual([1, 3]);
  });
});
