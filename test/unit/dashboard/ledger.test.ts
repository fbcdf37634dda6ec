import { describe, expect, it } from "vitest";
import { added } from "../../../src/dashboard/app/pages/replay/sum.ts";
import { newerThan, olderThan } from "../../../src/dashboard/app/pages/webhooks/neighbors.ts";
import { deliveriesOf, merged } from "../../../src/dashboard/app/parts/ledger/causes.ts";
import { fixOf } from "../../../src/dashboard/app/parts/ledger/fix.ts";
import { answerOf } from "../../../src/dashboard/app/parts/ledger/ledger-words.ts";
import { outcomeOf, outcomesOf, wordsOf } from "../../../src/dashboard/app/parts/ledger/outcome.ts";
import type {
  Cause,
  DeliverySearch,
  FoundDelivery,
  Replayed,
  Webhook,
} from "../../../src/dashboard/app/parts/ledger/types.ts";
import type { Part } from "../../../src/dashboard/app/parts/scan.ts";

const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;

const cause = (day: number, changes: Partial<Cause> = {}): Cause => ({
  kind: "delivery",
  cure: "Retry.",
  weight: 93,
  cause: "No template #",
  message: `No template ${day}`,
  source: "stripe",
  rule: "receipt",
  action: "transactional",
  state: "failed",
  count: 1,
  first: at(day),
  last: at(day),
  examples: [`wh_${day}.0`],
  ...changes,
});

describe("causes of deliveries that need a person", () => {
  it("of several answers are added up; the one with most deliveries is first, then the newest", () => {
    const other = cause(5, { cause: "Another message" });
    const undecided = cause(6, { state: "undecided" });
    const newest = cause(4, { count: 2, first: at(3) });
    expect(merged([newest, other, undecided, cause(1)])).toEqual([
      { ...newest, count: 3, first: at(1), last: at(4) },
      undecided,
      other,
    ]);
  });
});

describe("the deliveries of a cause", () => {
  const delivery = (n: number, state: string) => ({ id: `wh_${n}.0`, state }) as FoundDelivery;
  const pages: Record<string, Part<FoundDelivery>> = {
    "": { data: [delivery(9, "failed"), delivery(8, "undecided")], next: "p2" },
    p2: { data: [], next: "p3" },
    p3: { data: [delivery(7, "failed"), delivery(6, "failed")], next: null },
  };
  const asked: unknown[] = [];
  const read = async (request: DeliverySearch) => {
    asked.push(request);
    return pages[request?.cursor ?? ""] ?? { data: [], next: null };
  };

  it("are found over several answers; failed and undecided ones with one message are two causes", async () => {
    expect((await deliveriesOf(cause(1), 100, read)).map(({ id }) => id)).toEqual(["wh_9.0", "wh_7.0", "wh_6.0"]);
    expect((await deliveriesOf(cause(1, { state: "undecided" }), 100, read)).map(({ id }) => id)).toEqual(["wh_8.0"]);
    expect(asked[0]).toEqual({
      state: "attention",
      cause: "No template #",
      source: "stripe",
      rule: "receipt",
      action: "transactional",
      limit: "100",
    });
  });

  it("are read only as far as they are wanted", async () => {
    asked.length = 0;
    expect((await deliveriesOf(cause(1), 1, read)).map(({ id }) => id)).toEqual(["wh_9.0"]);
    expect(asked).toHaveLength(1);
  });
});

describe("the neighbors of a webhook", () => {
  const searching = (minutes: readonly number[], limit = 100) => {
    const all = minutes
      .toSorted((a, b) => b - a)
      .map((minute) => ({ id: `wh_${minute}`, acceptedAt: new Date(minute * 60_000).toISOString() }) as Webhook);
    return async ({
      since,
      until,
      cursor,
      limit: given,
    }: {
      since?: string;
      until?: string;
      cursor?: string;
      limit: string;
    }) => {
      const fits = all.filter(
        ({ id, acceptedAt }) =>
          (since === undefined || acceptedAt >= since) &&
          (until === undefined || acceptedAt < until) &&
          (cursor === undefined || Number(id.slice(3)) < Number(cursor)),
      );
      const data = fits.slice(0, Math.min(limit, Number(given)));
      return { data, next: data.length < fits.length ? (data.at(-1)?.id.slice(3) ?? null) : null };
    };
  };
  const at = (minute: number) => ({ id: `wh_${minute}`, acceptedAt: new Date(minute * 60_000).toISOString() });

  it("are the next older and the next newer one", async () => {
    const read = searching([10, 20, 30, 9_000]);
    expect([await olderThan(at(20), read), await newerThan(at(20), read)]).toEqual(["wh_10", "wh_30"]);
    expect(await newerThan(at(30), read)).toBe("wh_9000");
  });

  it("end at both ends", async () => {
    const read = searching([10, 20]);
    expect([await olderThan(at(10), read), await newerThan(at(20), read)]).toEqual([undefined, undefined]);
  });

  it("are found where many newer ones follow, over several pages", async () => {
    const read = searching(
      Array.from({ length: 50 }, (_, n) => n + 1),
      7,
    );
    expect(await newerThan(at(3), read)).toBe("wh_4");
  });
});

describe("slices of a replay", () => {
  it("add up, and the last one says where to go on", () => {
    const slice = (changes: Partial<Replayed>): Replayed => ({
      dryRun: true,
      actions: ["contact"],
      webhooks: 2,
      deliveries: 1,
      byAction: { contact: 1 },
      byRule: { a: 1 },
      notMade: { "sent already": 1 },
      notReplayable: {},
      failed: [],
      examples: [],
      next: "x",
      searchedTo: null,
      ...changes,
    });
    const sum = added(slice({}), slice({ byRule: { b: 2 }, notReplayable: { purged: 1 }, next: null }));
    expect(sum).toMatchObject({
      webhooks: 4,
      deliveries: 2,
      byAction: { contact: 2 },
      byRule: { a: 1, b: 2 },
      next: null,
      notMade: { "sent already": 2 },
      notReplayable: { purged: 1 },
    });
  });
});

describe("the commands that fix a template", () => {
  const message = "No value for data.amount.";
  const delivery = { state: "failed", action: "transactional", template: "receipt", message } as const;
  const bridge = { team: "demo", service: { kind: "embedded" }, templates: { receipt: "tpl_receipt" } };
  const email = { publicUrl: null };

  it("name the template, and what is not that of npm start", () => {
    expect(fixOf(delivery, { bridge, email })).toEqual({
      id: "tpl_receipt",
      file: "tpl_receipt.lmx",
      get: "npm run template -- get tpl_receipt",
      show: "npm run email -- tpl_receipt.lmx",
      publish: "npm run template -- publish tpl_receipt.lmx",
    });
    const elsewhere = { bridge: { ...bridge, team: "acme" }, email: { publicUrl: "https://mail.acme.example" } };
    expect(fixOf(delivery, elsewhere)?.get).toBe(
      "npm run template -- get tpl_receipt --team=acme --url=https://mail.acme.example",
    );
  });

  it("are for a failed mail of the email service beside the bridge, with a known template", () => {
    expect(fixOf({ ...delivery, state: "done" }, { bridge, email })).toBeUndefined();
    expect(fixOf({ ...delivery, action: "event" }, { bridge, email })).toBeUndefined();
    expect(fixOf({ ...delivery, template: "none" }, { bridge, email })).toBeUndefined();
    expect(fixOf({ ...delivery, message: "There is no such template." }, { bridge, email })).toBeUndefined();
    expect(fixOf(delivery, { bridge, email: null })).toBeUndefined();
    expect(fixOf(delivery, { bridge: { ...bridge, service: { kind: "other" } }, email })).toBeUndefined();
  });
});

describe("what came of a new try", () => {
  const tried = (state: string, more: object = {}) =>
    ({ id: "wh_1.0", state, action: "transactional", ...more }) as FoundDelivery;

  it("is said in words, with the reason", () => {
    expect(wordsOf(tried("done"))).toEqual({ text: "sent", tone: "good" });
    expect(wordsOf(tried("done", { action: "contact" })).text).toBe("done");
    expect(wordsOf(tried("failed", { message: "No template tpl_17." }))).toEqual({
      text: "failed again: No template tpl_17",
      tone: "bad",
    });
    expect(wordsOf(tried("undecided"))).toEqual({ text: "still unknown", tone: "bad" });
    expect(wordsOf(tried("waiting")).tone).toBe("wait");
    expect(wordsOf(undefined).text).toBe("nothing to do");
  });

  it("is waited for", async () => {
    const states = ["waiting", "sending", "done"];
    const read = async () => tried(states.shift() ?? "done");
    expect(await outcomeOf({ id: "wh_1.0" }, read)).toEqual({ text: "sent", tone: "good" });
    expect(states).toEqual([]);
  });

  it("of many is that of the first 20", async () => {
    const many = Array.from({ length: 30 }, (_, n) => ({ id: `wh_${n}.0` }));
    const read = async (id: string) => tried(id === "wh_0.0" ? "failed" : "done");
    expect(await outcomesOf(many, read)).toEqual(["1 of the first 20 failed again", "19 of the first 20 sent"]);
    expect(await outcomesOf(many.slice(1, 3), read)).toEqual(["2 of 2 sent"]);
  });
});

describe("the answer of a webhook", () => {
  const made = (...states: string[]) => ({
    why: "No rule is on it.",
    deliveries: states.map((state, n) => ({
      id: `wh_1.${n}`,
      action: "contact" as const,
      state,
      why: `${state}: because`,
      message: "No.",
      attempts: [],
    })) as unknown as FoundDelivery[],
  });

  it.each([
    [[], "quiet", "Nothing to do.", "No rule is on it."],
    [["done"], "good", "The delivery is done.", ""],
    [["done", "skipped", "done"], "good", "All 3 deliveries are done.", ""],
    [["done", "failed"], "bad", "1 of 2 deliveries failed.", "Contact update: No."],
    [["undecided"], "warn", "The delivery needs a decision.", "Contact update: No."],
    [["waiting", "waiting", "undecided"], "warn", "1 of 3 deliveries needs a decision.", "Contact update: No."],
    [["waiting", "sending"], "quiet", "2 of 2 deliveries wait.", "Contact update: Waiting: because"],
  ] as const)("is of the delivery that says most: %j", (states, tone, title, text) => {
    expect(answerOf(made(...states))).toMatchObject({ tone, title, text });
  });
});
