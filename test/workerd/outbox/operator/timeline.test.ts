import { describe, expect, it } from "vitest";
import { seqOf } from "../../../../src/outbox/model/delivery-state.ts";
import { wholeOf } from "../../../../src/routes/admin/show.ts";
import { checkedAnswer } from "../../../bridge-answer.ts";
import { failure } from "../service.ts";
import { type Bench, createBench, event, mail, update } from "../setup.ts";

const HOUR = 3_600_000;
const ada = { email: "ada@example.com" };

const show = async (bench: Bench, id: string, withBody = true) => {
  const shown = await bench.ask((outbox) => outbox.show(seqOf(id) as number));
  if (!shown) throw new Error(`no webhook ${id}`);
  return checkedAnswer("GET", `/webhooks/${id}`, 200, wholeOf(shown, bench.service.now(), withBody));
};

const says = (bench: Bench, id: string, text: RegExp, index = 0) =>
  bench.waitFor(async () => expect((await show(bench, id)).deliveries[index]?.why).toMatch(text), 5_000);

describe("a timeline", () => {
  it("has every step in order of time: received, verified, rules, deliveries, attempts with status and wait, the end", async () => {
    const bench = await createBench();
    bench.service.before = () => (bench.service.received.length === 1 ? failure(503, "busy") : undefined);
    const { id } = await bench.accept({
      outcomes: [
        { rule: "mail", outcome: "matched" },
        { rule: "other", outcome: "not matched", clause: "(e) => e.amount > 0" },
        { rule: "third", outcome: "failed", message: "no plan" },
      ],
      deliveries: [mail(ada)],
    });
    await bench.deliveries(id);
    const { timeline, why, body } = await show(bench, id);
    expect(timeline.map(({ what, text }) => `${what}: ${text}`)).toEqual([
      expect.stringMatching(/^received: Received from stripe: customer\.updated, with the provider's id evt_/),
      "verified: Verified: it was sent by stripe.",
      'rule: rule "mail" matched.',
      'rule: rule "other" did not match: its condition was false: (e) => e.amount > 0',
      'rule: rule "third" failed: no plan.',
      'delivery: rule "mail" makes the mail "receipt" for ada@example.com.',
      expect.stringMatching(/^attempt: Attempt 1: 503 after \d+ ms: busy\. Next attempt after 0 ms\.$/),
      expect.stringMatching(/^attempt: Attempt 2: 200 after \d+ ms\.$/),
      expect.stringMatching(/^settled: done: the email service accepted it at 20.* UTC on attempt 2 \(id_1\)\.$/),
    ]);
    expect(timeline.every(({ at }) => /^\d{4}-.*Z$/.test(String(at)))).toBe(true);
    expect(why).toBe('It made 1 delivery. Rule "third" failed: no plan.');
    expect(body).toBe("{}");
    expect(await show(bench, id, false)).not.toHaveProperty("body");
  });

  it("has what people did, and the state before", async () => {
    const bench = await createBench();
    bench.service.before = () => failure(400, "no such variable");
    const { id } = await bench.accept({ deliveries: [mail(ada)] });
    await bench.deliveries(id);
    await bench.stub().discard({ seq: seqOf(id) as number, index: 0 });
    const { timeline, deliveries } = await show(bench, id);
    expect(timeline.map(({ text }) => text)).toContain(
      "a person discarded the delivery; before that it was failed: no such variable.",
    );
    expect(deliveries[0]?.why).toBe("Discarded by a person.");
  });
});

describe("what an open delivery waits for", () => {
  it("an identity link, a pause, its turn", async () => {
    const bench = await createBench();
    const stranger = await bench.accept({ deliveries: [event({ ref: "stripe:cus_9" })] });
    await says(
      bench,
      stranger.id,
      /^waiting for identity: no webhook has given the email address or user id of stripe:cus_9 yet\. .* until 20/,
    );
    const nowhere = await bench.accept({ deliveries: [mail({ userId: "user_9" })] });
    await says(bench, nowhere.id, /^waiting for identity: no webhook has given the email address of user user_9 yet/);
    const untied = await bench.accept({ deliveries: [{ ...event({ userId: "user_8" }), waitsForTie: true }] });
    await says(bench, untied.id, /^waiting for identity: no webhook has tied user user_8 to .* the user id alone\.$/);
    expect((await show(bench, untied.id)).deliveries[0]?.contact).toEqual({ userId: "user_8", ref: "stripe:user_8" });
    const user7 = { userId: "user_7", email: "bo@example.com" };
    const removed = await bench.accept({ deliveries: [{ ...event(user7), waitsForTie: true, removes: true }] });
    await says(
      bench,
      removed.id,
      /^waiting for identity: no webhook has named user user_7 before this removal\..* known\.$/,
    );
    await bench.stub().pause("stripe", true);
    const { id } = await bench.accept({ deliveries: [event(ada)] });
    await says(bench, id, /^paused: a person paused the source stripe at 20/);
    await bench.stub().pause(undefined, true);
    await says(bench, id, /^paused: a person paused all deliveries at 20/);
    await bench.stub().pause("stripe", false);
    bench.service.before = () => "hang";
    await bench.stub().pause(undefined, false);
    await says(bench, id, /^sending: the email service has not answered yet/);
    const behind = await bench.accept({ deliveries: [event(ada)] });
    await says(bench, behind.id, new RegExp(`^waiting for its turn: ${id}\\.0 of the same person is sent first`));
    expect((await show(bench, behind.id)).deliveries[0]?.waitingFor).toEqual({ for: "turn", behind: `${id}.0` });
  });

  it("blocked and backoff, with the email service's message", async () => {
    const bench = await createBench();
    bench.service.before = () => failure(401, "Invalid API key");
    const { id } = await bench.accept({ deliveries: [mail(ada)] });
    await says(bench, id, /^blocked since 20.*\("Invalid API key"\)\. The next attempt is at 20/);
    const other = await createBench();
    other.service.before = () => failure(429, "slow down", { "Retry-After": "30" });
    const limited = await other.accept({ deliveries: [mail(ada)] });
    await says(
      other,
      limited.id,
      /^backoff: the email service answered 429 \("slow down"\)\. Deliveries continue at 20/,
    );
  });

  it("a retry shows the outcome of the last attempt", async () => {
    const bench = await createBench();
    bench.service.before = () => failure(500, "down");
    const { id } = await bench.accept({ deliveries: [update(ada, { plan: "pro" })] });
    await says(bench, id, /^waiting for the next attempt( at 20.*)?\. The last attempt: 500, down\./);
  });
});

describe("the sentence about a settled delivery", () => {
  it.each([
    [
      "refused",
      failure.bind(undefined, 422, "too long"),
      mail(ada),
      "the email service refused it with 422: too long.",
    ],
    [
      "no template",
      undefined,
      mail(ada, { template: "nope" }),
      'TEMPLATES has no transactionalId for the template "nope".',
    ],
    ["expired", undefined, mail(ada, { expiresAt: 1 }), "expired: the mail was not sent before its expiry time."],
  ] as const)("%s", async (_, before, delivery, sentence) => {
    const bench = await createBench();
    if (before) bench.service.before = () => before();
    const { id } = await bench.accept({ deliveries: [delivery] });
    await bench.deliveries(id);
    expect((await show(bench, id)).deliveries[0]?.why).toBe(sentence);
  });

  it("done by an earlier attempt, replaced, skipped, undecided, sent together", async () => {
    const bench = await createBench();
    const at = (occurredAt: number) => ({ occurredAt, deliveries: [update(ada, { plan: "pro" })] });
    await bench.deliveries((await bench.accept(at(2_000))).id);
    const old = await bench.accept(at(1_000));
    await bench.deliveries(old.id);
    await says(bench, old.id, /^replaced: Newer webhooks have already/);
    const skipped = await bench.accept({ skip: "The source is in plan-only mode.", deliveries: [mail(ada)] });
    await says(bench, skipped.id, /^skipped: The source is in plan-only mode\./);
    let lost = true;
    bench.service.after = () => (lost ? failure(502, "lost") : undefined);
    const landed = await bench.accept({ deliveries: [mail(ada)] });
    await says(
      bench,
      landed.id,
      /^done: an earlier attempt had succeeded without an answer\. .* with 409 .* nothing was sent twice/,
    );
    lost = false;
    await bench.stub().pause(undefined, true);
    const one = await bench.accept({ occurredAt: 3_000, deliveries: [update(ada, { plan: "a" })] });
    const two = await bench.accept({ occurredAt: 4_000, deliveries: [update(ada, { plan: "b" })] });
    await bench.stub().pause(undefined, false);
    await bench.deliveries(two.id);
    await says(
      bench,
      two.id,
      new RegExp(`^done: the email service accepted it at 20.*, in one request with ${one.id}`),
    );
    const stranger = await bench.accept({ deliveries: [event({ ref: "stripe:cus_9" })] });
    bench.service.offset = 73 * HOUR;
    await bench.crash();
    await bench.accept();
    await bench.deliveries(stranger.id);
    await says(bench, stranger.id, /^needs a decision: No webhook has linked stripe:cus_9 to/);
  });
});

describe("urgent mail that expired after an attempt with unknown outcome", () => {
  it("says that it may have been sent", async () => {
    const bench = await createBench();
    bench.service.after = () => failure(502, "lost");
    bench.service.before = () => (bench.service.received.length > 1 ? failure(503, "down") : undefined);
    const { id } = await bench.accept({
      deliveries: [mail(ada, { urgent: true, expiresAt: bench.service.now() + 60_000 })],
    });
    await bench.deliveries(id, ([delivery]) => (delivery?.attempts.length ?? 0) > 0);
    bench.service.offset = 61_000;
    const [delivery] = await bench.deliveries(id);
    expect(bench.service.acted).toHaveLength(1);
    const maybe = /^expired: .*The outcome of an earlier attempt is unknown: it may have been sent\.$/;
    expect(delivery).toMatchObject({ state: "failed", message: expect.stringMatching(maybe) });
    await says(bench, id, maybe);
    const { timeline } = await show(bench, id);
    expect(timeline.at(-1)).toMatchObject({ what: "settled", text: expect.stringMatching(maybe) });
  });
});

describe("an attempt that a crash interrupted", () => {
  const interrupted = async (prepare: (bench: Bench) => void) => {
    const bench = await createBench();
    prepare(bench);
    const contacts = [ada, { email: "grace@example.com" }];
    const { id } = await bench.accept({
      deliveries: contacts.map((who, n) => (n === 0 ? mail(who) : update(who, { plan: "pro" }))),
    });
    await bench.deliveries(id, () => bench.service.received.length === 2);
    await bench.crash();
    bench.service.before = () => undefined;
    bench.service.after = () => undefined;
    await bench.accept();
    await bench.deliveries(id);
    const { timeline } = await show(bench, id);
    return timeline.flatMap(({ what, delivery, text }) => (what === "attempt" && delivery === `${id}.0` ? [text] : []));
  };

  it("never left, where the email service accepted the same key as new later", async () => {
    const attempts = await interrupted((bench) => {
      bench.service.before = () => "hang";
    });
    expect(attempts[0]).toMatch(/^Attempt 1: claimed, never left: the bridge was interrupted\./);
    expect(attempts[1]).toMatch(/^Attempt 2: 200/);
  });

  it("may have left, where the email service says that the key was used", async () => {
    const attempts = await interrupted((bench) => {
      bench.service.after = () => "hang";
    });
    expect(attempts[0]).toBe("Attempt 1: The bridge was interrupted before it learned the outcome.");
    expect(attempts[1]).toMatch(/^Attempt 2: 409/);
  });
});

describe("a webhook without deliveries", () => {
  it.each([
    [[], "No rule matched: no rule of stripe is on customer.updated."],
    [[{ rule: "a", outcome: "not matched", clause: "(e) => e.x" } as const], 'No rule matched: "a" needs (e) => e.x.'],
    [
      ["a", "b"].map((rule) => ({ rule, outcome: "not matched", message: "Enable x at the endpoint." }) as const),
      "No rule matched: Enable x at the endpoint.",
    ],
    [
      [{ rule: "a", outcome: "failed", message: "e.x is null" } as const],
      'No deliveries: Rule "a" failed: e.x is null.',
    ],
    [
      [{ rule: "a", outcome: "matched", message: "Skipped: a backfill sends no mail." } as const],
      'No deliveries: Rule "a" matched. Skipped: a backfill sends no mail.',
    ],
  ])("says why: %j", async (outcomes, why) => {
    const bench = await createBench();
    const { id } = await bench.accept({ outcomes: [...outcomes] });
    expect((await show(bench, id)).why).toBe(why);
  });
});
