import { describe, expect, it } from "vitest";
import { seqOf } from "../../../../src/outbox/model/calls.ts";
import { wholeOf } from "../../../../src/routes/admin/show.ts";
import { checkedAnswer } from "../../../bridge-answer.ts";
import { failure } from "../host.ts";
import { type Bench, createBench, event, mail, update } from "../setup.ts";

const HOUR = 3_600_000;
const ada = { email: "ada@example.com" };

const show = async (bench: Bench, id: string, withBody = true) => {
  const shown = await bench.ask((outbox) => outbox.show(seqOf(id) as number));
  if (!shown) throw new Error(`no webhook ${id}`);
  return checkedAnswer("GET", `/webhooks/${id}`, 200, wholeOf(shown, bench.host.now(), withBody));
};

const says = (bench: Bench, id: string, text: RegExp, index = 0) =>
  bench.waitFor(async () => expect((await show(bench, id)).calls[index]?.why).toMatch(text), 5_000);

describe("a timeline", () => {
  it("has every step in order of time: received, verified, rules, calls, attempts with status and wait, the end", async () => {
    const bench = await createBench();
    bench.host.before = () => (bench.host.received.length === 1 ? failure(503, "busy") : undefined);
    const { id } = await bench.accept({
      outcomes: [
        { rule: "mail", outcome: "matched" },
        { rule: "other", outcome: "not matched", clause: "(e) => e.amount > 0" },
        { rule: "third", outcome: "failed", message: "no plan" },
      ],
      calls: [mail(ada)],
    });
    await bench.calls(id);
    const { timeline, why, body } = await show(bench, id);
    expect(timeline.map(({ what, text }) => `${what}: ${text}`)).toEqual([
      expect.stringMatching(/^received: Received from stripe: customer\.updated, with the provider's id evt_/),
      "verified: Verified: it was sent by stripe.",
      'rule: rule "mail" matched.',
      'rule: rule "other" did not match: its condition was false: (e) => e.amount > 0',
      'rule: rule "third" failed: no plan.',
      'call: rule "mail" makes the mail "receipt" for ada@example.com.',
      expect.stringMatching(/^attempt: Attempt 1: 503 after \d+ ms: busy\. Next attempt after 0 ms\.$/),
      expect.stringMatching(/^attempt: Attempt 2: 200 after \d+ ms\.$/),
      expect.stringMatching(/^settled: done: the host accepted it at 20.* UTC on attempt 2 \(id_1\)\.$/),
    ]);
    expect(timeline.every(({ at }) => /^\d{4}-.*Z$/.test(String(at)))).toBe(true);
    expect(why).toBe('It made 1 call. Rule "third" failed: no plan.');
    expect(body).toBe("{}");
    expect(await show(bench, id, false)).not.toHaveProperty("body");
  });

  it("has what people did, and the state before", async () => {
    const bench = await createBench();
    bench.host.before = () => failure(400, "no such variable");
    const { id } = await bench.accept({ calls: [mail(ada)] });
    await bench.calls(id);
    await bench.stub().discard({ seq: seqOf(id) as number, index: 0 });
    const { timeline, calls } = await show(bench, id);
    expect(timeline.map(({ text }) => text)).toContain(
      "a person discarded the call; before that it was dead: no such variable.",
    );
    expect(calls[0]?.why).toBe("Discarded by a person.");
  });
});

describe("what an open call waits for", () => {
  it("an identity link, a pause, its turn", async () => {
    const bench = await createBench();
    const stranger = await bench.accept({ calls: [event({ ref: "stripe:cus_9" })] });
    await says(
      bench,
      stranger.id,
      /^waiting for identity: no webhook has given the email address or user id of stripe:cus_9 yet\. .* until 20/,
    );
    const nowhere = await bench.accept({ calls: [mail({ userId: "user_9" })] });
    await says(bench, nowhere.id, /^waiting for identity: no webhook has given the email address of user user_9 yet/);
    const untied = await bench.accept({ calls: [{ ...event({ userId: "user_8" }), waitsForTie: true }] });
    await says(bench, untied.id, /^waiting for identity: no webhook has tied user user_8 to .* the user id alone\.$/);
    expect((await show(bench, untied.id)).calls[0]?.contact).toEqual({ userId: "user_8", ref: "stripe:user_8" });
    const user7 = { userId: "user_7", email: "bo@example.com" };
    const removed = await bench.accept({ calls: [{ ...event(user7), waitsForTie: true, removes: true }] });
    await says(
      bench,
      removed.id,
      /^waiting for identity: no webhook has named user user_7 before this removal\..* known\.$/,
    );
    await bench.stub().pause("stripe", true);
    const { id } = await bench.accept({ calls: [event(ada)] });
    await says(bench, id, /^paused: a person paused the source stripe at 20/);
    await bench.stub().pause(undefined, true);
    await says(bench, id, /^paused: a person paused all delivery at 20/);
    await bench.stub().pause("stripe", false);
    bench.host.before = () => "hang";
    await bench.stub().pause(undefined, false);
    await says(bench, id, /^sending: the host has not answered yet/);
    const behind = await bench.accept({ calls: [event(ada)] });
    await says(bench, behind.id, new RegExp(`^waiting for its turn: ${id}\\.0 of the same person is sent first`));
    expect((await show(bench, behind.id)).calls[0]?.waitingFor).toEqual({ for: "turn", behind: `${id}.0` });
  });

  it("blocked and backoff, with the host's message", async () => {
    const bench = await createBench();
    bench.host.before = () => failure(401, "Invalid API key");
    const { id } = await bench.accept({ calls: [mail(ada)] });
    await says(bench, id, /^blocked since 20.*\("Invalid API key"\)\. The next attempt is at 20/);
    const other = await createBench();
    other.host.before = () => failure(429, "slow down", { "Retry-After": "30" });
    const limited = await other.accept({ calls: [mail(ada)] });
    await says(other, limited.id, /^backoff: the host answered 429 \("slow down"\)\. Delivery continues at 20/);
  });

  it("a retry shows the outcome of the last attempt", async () => {
    const bench = await createBench();
    bench.host.before = () => failure(500, "down");
    const { id } = await bench.accept({ calls: [update(ada, { plan: "pro" })] });
    await says(bench, id, /^waiting for the next attempt( at 20.*)?\. The last attempt: 500, down\./);
  });
});

describe("the sentence about a settled call", () => {
  it.each([
    ["refused", failure.bind(undefined, 422, "too long"), mail(ada), "the host refused it with 422: too long."],
    [
      "no template",
      undefined,
      mail(ada, { template: "nope" }),
      'TEMPLATES has no transactionalId for the template "nope".',
    ],
    ["expired", undefined, mail(ada, { expiresAt: 1 }), "expired: the mail was not sent before its expiry time."],
  ] as const)("%s", async (_, before, call, sentence) => {
    const bench = await createBench();
    if (before) bench.host.before = () => before();
    const { id } = await bench.accept({ calls: [call] });
    await bench.calls(id);
    expect((await show(bench, id)).calls[0]?.why).toBe(sentence);
  });

  it("done by an earlier attempt, superseded, skipped, parked, sent together", async () => {
    const bench = await createBench();
    const at = (occurredAt: number) => ({ occurredAt, calls: [update(ada, { plan: "pro" })] });
    await bench.calls((await bench.accept(at(2_000))).id);
    const old = await bench.accept(at(1_000));
    await bench.calls(old.id);
    await says(bench, old.id, /^superseded: Newer webhooks have already/);
    const skipped = await bench.accept({ skip: "The source is in shadow mode.", calls: [mail(ada)] });
    await says(bench, skipped.id, /^skipped: The source is in shadow mode\./);
    let lost = true;
    bench.host.after = () => (lost ? failure(502, "lost") : undefined);
    const landed = await bench.accept({ calls: [mail(ada)] });
    await says(
      bench,
      landed.id,
      /^done: an earlier attempt had succeeded without an answer\. .* with 409 .* nothing was sent twice/,
    );
    lost = false;
    await bench.stub().pause(undefined, true);
    const one = await bench.accept({ occurredAt: 3_000, calls: [update(ada, { plan: "a" })] });
    const two = await bench.accept({ occurredAt: 4_000, calls: [update(ada, { plan: "b" })] });
    await bench.stub().pause(undefined, false);
    await bench.calls(two.id);
    await says(bench, two.id, new RegExp(`^done: the host accepted it at 20.*, in one request with ${one.id}`));
    const stranger = await bench.accept({ calls: [event({ ref: "stripe:cus_9" })] });
    bench.host.offset = 73 * HOUR;
    await bench.crash();
    await bench.accept();
    await bench.calls(stranger.id);
    await says(bench, stranger.id, /^parked until a person decides: No webhook has linked stripe:cus_9 to/);
  });
});

describe("urgent mail that expired after an attempt with unknown outcome", () => {
  it("says that it may have been sent", async () => {
    const bench = await createBench();
    bench.host.after = () => failure(502, "lost");
    bench.host.before = () => (bench.host.received.length > 1 ? failure(503, "down") : undefined);
    const { id } = await bench.accept({ calls: [mail(ada, { urgent: true, expiresAt: bench.host.now() + 60_000 })] });
    await bench.calls(id, ([call]) => (call?.attempts.length ?? 0) > 0);
    bench.host.offset = 61_000;
    const [call] = await bench.calls(id);
    expect(bench.host.acted).toHaveLength(1);
    const maybe = /^expired: .*The outcome of an earlier attempt is unknown: it may have been sent\.$/;
    expect(call).toMatchObject({ state: "dead", message: expect.stringMatching(maybe) });
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
      calls: contacts.map((who, n) => (n === 0 ? mail(who) : update(who, { plan: "pro" }))),
    });
    await bench.calls(id, () => bench.host.received.length === 2);
    await bench.crash();
    bench.host.before = () => undefined;
    bench.host.after = () => undefined;
    await bench.accept();
    await bench.calls(id);
    const { timeline } = await show(bench, id);
    return timeline.flatMap(({ what, call, text }) => (what === "attempt" && call === `${id}.0` ? [text] : []));
  };

  it("never left, where the host accepted the same key as new later", async () => {
    const attempts = await interrupted((bench) => {
      bench.host.before = () => "hang";
    });
    expect(attempts[0]).toMatch(/^Attempt 1: claimed, never left: the bridge was interrupted\./);
    expect(attempts[1]).toMatch(/^Attempt 2: 200/);
  });

  it("may have left, where the host says that the key was used", async () => {
    const attempts = await interrupted((bench) => {
      bench.host.after = () => "hang";
    });
    expect(attempts[0]).toBe("Attempt 1: The bridge was interrupted before it learned the outcome.");
    expect(attempts[1]).toMatch(/^Attempt 2: 409/);
  });
});

describe("a webhook without calls", () => {
  it.each([
    [[], "No rule matched: no rule of stripe is on customer.updated."],
    [[{ rule: "a", outcome: "not matched", clause: "(e) => e.x" } as const], 'No rule matched: "a" needs (e) => e.x.'],
    [
      ["a", "b"].map((rule) => ({ rule, outcome: "not matched", message: "Enable x at the endpoint." }) as const),
      "No rule matched: Enable x at the endpoint.",
    ],
    [[{ rule: "a", outcome: "failed", message: "e.x is null" } as const], 'No calls: Rule "a" failed: e.x is null.'],
    [
      [{ rule: "a", outcome: "matched", message: "Skipped: a backfill sends no mail." } as const],
      'No calls: Rule "a" matched. Skipped: a backfill sends no mail.',
    ],
  ])("says why: %j", async (outcomes, why) => {
    const bench = await createBench();
    const { id } = await bench.accept({ outcomes: [...outcomes] });
    expect((await show(bench, id)).why).toBe(why);
  });
});
