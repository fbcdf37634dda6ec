import { describe, expect, it } from "vitest";
import { seqOf } from "../../../../src/outbox/model/calls.ts";
import type { Shown } from "../../../../src/outbox/operator/operator.ts";
import { wholeOf } from "../../../../src/routes/admin/show.ts";
import { failure } from "../host.ts";
import { type Bench, createBench, event, mail, update } from "../setup.ts";

const HOUR = 3_600_000;
const ada = { email: "ada@example.com" };

/** A webhook as the admin API shows it. */
const show = async (bench: Bench, id: string, withBody = true) =>
  wholeOf((await bench.stub().show(seqOf(id) as number)) as unknown as Shown, bench.host.now(), withBody);

/** Waits until the sentence about a call says something. */
const says = (bench: Bench, id: string, text: RegExp, index = 0) =>
  bench.waitFor(async () => expect((await show(bench, id)).calls[index]?.why).toMatch(text), 5_000);

describe("a timeline", () => {
  it("tells everything in order of time: received, verified, rules, calls, tries with status and wait, the end", async () => {
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
      expect.stringMatching(/^received: Received from stripe: customer\.updated, the provider's evt_/),
      "verified: Verified: the proof of stripe was good.",
      'rule: rule "mail" matched.',
      'rule: rule "other" did not match: its condition was false: (e) => e.amount > 0',
      'rule: rule "third" failed: no plan.',
      'call: rule "mail" makes the mail "receipt" for ada@example.com.',
      expect.stringMatching(/^try: Try 1: 503 after \d+ ms: busy\. Next try after 0 ms\.$/),
      expect.stringMatching(/^try: Try 2: 200 after \d+ ms\.$/),
      expect.stringMatching(/^settled: done: the host took it at 20.* UTC at try 2 \(id_1\)\.$/),
    ]);
    expect(timeline.every(({ at }) => /^\d{4}-.*Z$/.test(String(at)))).toBe(true);
    expect(why).toBe('It made 1 call. Rule "third" failed: no plan.');
    expect(body).toBe("{}");
    expect(await show(bench, id, false)).not.toHaveProperty("body");
  });

  it("has what people did, and what it was before", async () => {
    const bench = await createBench();
    bench.host.before = () => failure(400, "no such variable");
    const { id } = await bench.accept({ calls: [mail(ada)] });
    await bench.calls(id);
    await bench.stub().discard({ seq: seqOf(id) as number, index: 0 });
    const { timeline, calls } = await show(bench, id);
    expect(timeline.map(({ text }) => text)).toContain("discarded by a person; it was dead: no such variable.");
    expect(calls[0]?.why).toBe("Discarded by a person.");
  });
});

describe("what an undecided call waits for", () => {
  it("an identity, a person's word, its turn", async () => {
    const bench = await createBench();
    const stranger = await bench.accept({ calls: [event({ ref: "stripe:cus_9" })] });
    await says(bench, stranger.id, /^waiting for identity: no webhook has told who stripe:cus_9 is\. Until 20/);
    const nowhere = await bench.accept({ calls: [mail({ userId: "user_9" })] });
    await says(bench, nowhere.id, /^waiting for identity: .*user user_9 is or at which address/);
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
    await says(bench, behind.id, new RegExp(`^waiting for its turn: ${id}\\.0 of the same person comes first`));
    expect((await show(bench, behind.id)).calls[0]?.waitingFor).toEqual({ for: "turn", behind: `${id}.0` });
  });

  it("the key and the limit, with the host's own words", async () => {
    const bench = await createBench();
    bench.host.before = () => failure(401, "Invalid API key");
    const { id } = await bench.accept({ calls: [mail(ada)] });
    await says(bench, id, /^held on credentials since 20.*\("Invalid API key"\)\. It is asked again at 20/);
    const other = await createBench();
    other.host.before = () => failure(429, "slow down", { "Retry-After": "30" });
    const limited = await other.accept({ calls: [mail(ada)] });
    await says(other, limited.id, /^waiting for the limit: the host asked to slow down \("slow down"\) until 20/);
  });

  it("a retry says what the last try came to", async () => {
    const bench = await createBench();
    bench.host.before = () => failure(500, "down");
    const { id } = await bench.accept({ calls: [update(ada, { plan: "pro" })] });
    await says(bench, id, /^waiting for the next try( at 20.*)?: 500, down\./);
  });
});

describe("what a decided call came to", () => {
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

  it("landed, superseded, skipped, parked, sent together, gone already", async () => {
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
      /^landed: an earlier try had reached the host\. It said 409 .* nothing was sent twice/,
    );
    lost = false;
    await bench.stub().pause(undefined, true);
    const one = await bench.accept({ occurredAt: 3_000, calls: [update(ada, { plan: "a" })] });
    const two = await bench.accept({ occurredAt: 4_000, calls: [update(ada, { plan: "b" })] });
    await bench.stub().pause(undefined, false);
    await bench.calls(two.id);
    await says(bench, two.id, new RegExp(`^done: the host took it at 20.*, in one request with ${one.id}`));
    const stranger = await bench.accept({ calls: [event({ ref: "stripe:cus_9" })] });
    bench.host.offset = 73 * HOUR;
    await bench.crash();
    await bench.accept();
    await bench.calls(stranger.id);
    await says(bench, stranger.id, /^parked for a person: No webhook has linked stripe:cus_9 to/);
  });
});

describe("urgent mail that expired after a try whose outcome is unknown", () => {
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

describe("a webhook without calls", () => {
  it.each([
    [[], "No rule matched: no rule of stripe is on customer.updated."],
    [[{ rule: "a", outcome: "not matched", clause: "(e) => e.x" } as const], 'No rule matched: "a" needs (e) => e.x.'],
    [[{ rule: "a", outcome: "failed", message: "e.x is null" } as const], 'No calls: Rule "a" failed: e.x is null.'],
  ])("says why: %j", async (outcomes, why) => {
    const bench = await createBench();
    const { id } = await bench.accept({ outcomes: [...outcomes] });
    expect((await show(bench, id)).why).toBe(why);
  });
});
