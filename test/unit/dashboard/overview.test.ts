import { describe, expect, it } from "vitest";
import { countsOf, groupOf, sendColumns } from "../../../src/dashboard/app/pages/overview/columns.ts";
import {
  type Need,
  needOfCause,
  needOfEmail,
  needOfProblem,
  type Problem,
  sorted,
  verdictOf,
} from "../../../src/dashboard/app/pages/overview/needs.ts";
import { drainText } from "../../../src/dashboard/app/parts/ledger/ledger-words.ts";
import { problemKinds } from "../../../src/lib/contract/admin/bridge/attention.ts";
import { sendStates } from "../../../src/lib/contract/admin/email/sends.ts";

const HOUR = 3_600_000;
const NOW = Date.parse("2026-11-28T22:30:00Z");

it("mails are summed by hour and by what became of them; a state that is not known counts as failed", () => {
  const at = (hours: number) => new Date(hours * HOUR).toISOString();
  const sends = [
    { hour: at(1), state: "sent", count: 2 },
    { hour: at(1), state: "delivered", count: 3 },
    { hour: at(2), state: "queued", count: 1 },
    { hour: at(2), state: "bounced", count: 4 },
  ];
  const columns = sendColumns(sends, { since: 0, until: 3 * HOUR, step: HOUR, zone: "UTC" });
  expect(columns.map(({ counts }) => counts)).toEqual([{}, { sent: 5 }, { waiting: 1, failed: 4 }]);
  expect(countsOf(sends)).toEqual({ sent: 5, failed: 4 });
  expect(sendStates.filter((state) => groupOf(state) === "failed")).toEqual([
    "bounced",
    "complained",
    "not_sent",
    "failed",
  ]);
});

const common = { cause: "", cure: "Do this.", weight: 1, source: null, count: null, since: null, last: null };
const named = {
  titleOf: (source: string) => (source === "stripe" ? "Stripe" : source),
  paused: { all: null, sources: { clerk: "2026-11-28T21:40:00Z" } },
};

describe("what needs a person", () => {
  it.each(problemKinds)("of the bridge has a title, a text, a place and a step: %s", (kind) => {
    const need = needOfProblem({ ...common, kind, message: `${kind}: what is so`, source: "stripe" }, named);
    for (const text of [need.title, need.text, need.step]) expect(text).toMatch(/^[A-Z]|^clerk is paused$/);
    expect(need.text.endsWith(".")).toBe(true);
    expect(need.to).toMatch(/^\/[a-z]/);
  });

  it("names a source as its provider does, and leads to it", () => {
    const problem: Problem = { ...common, kind: "refusing", source: "stripe", message: "refusing: x", count: 61 };
    expect(needOfProblem(problem, named)).toMatchObject({
      tone: "bad",
      title: "Stripe: every webhook is refused",
      text: "X. Do this.",
      facts: ["61 times"],
      to: "/sources/stripe",
    });
  });

  it("is a pause by its sources, which can be resumed there", () => {
    const problem: Problem = { ...common, kind: "paused", message: "paused by a person: clerk" };
    expect(needOfProblem(problem, named)).toMatchObject({ title: "clerk is paused", resume: ["clerk"] });
    const all = { ...named, paused: { all: "2026-11-28T21:40:00Z", sources: {} } };
    expect(needOfProblem(problem, all)).toMatchObject({ title: "Delivery is paused", resume: [""] });
  });

  it.each([
    ["failed", 3, "3 mails failed: template x does not exist", "bad"],
    ["undecided", 1, "1 mail needs a decision: template x does not exist", "warn"],
  ] as const)("is one cause of deliveries that are %s", (state, count, title, tone) => {
    const cause = {
      ...common,
      kind: "delivery" as const,
      source: "stripe",
      rule: "Welcome",
      action: "transactional" as const,
      state,
      count,
      message: "template x does not exist.",
      first: "2026-11-28T21:58:00Z",
      last: "2026-11-28T22:00:00Z",
      examples: [],
    };
    expect(needOfCause(cause)).toMatchObject({ title, tone, text: "Do this.", facts: ["Rule Welcome"] });
  });

  it("of the email service has its first sentence as the title, and leads to what it names", () => {
    const text = 'The campaign "December" is held. The domain a.example is not verified.';
    expect(needOfEmail({ kind: "campaign_held", text, ids: { campaign: "cmp_1" } }, "demo")).toMatchObject({
      title: 'The campaign "December" is held',
      text: "The domain a.example is not verified.",
      to: "/campaigns/cmp_1",
      team: "demo",
    });
  });

  it("comes with the worst first, and else in the order of the services", () => {
    const needs = (["warn", "bad", "warn", "bad"] as const).map((tone, n) => ({ tone, key: String(n) }) as Need);
    expect(sorted(needs).map(({ key }) => key)).toEqual(["1", "3", "0", "2"]);
  });
});

describe("the verdict", () => {
  const waiting = { total: 0, identity: 0, sending: 0, oldestMs: 0, lanes: {}, sources: {} };
  const backlog = { waiting: 0, settledPerMinute: 0, addedPerMinute: 0, doneAt: null };
  const status = { dispatch: "running" as const, waiting, backlog, paused: { all: null, sources: {} } };
  const known = { needs: [], silent: [], status, isComplete: true, now: NOW };
  const need = { key: "a", tone: "warn", title: "Stripe is nearly full", text: "Resume it.", to: "/", step: "Details" };

  it("is good only if everything is known and nothing is wrong", () => {
    expect(verdictOf(known).title).toBe("Everything is flowing");
    expect(verdictOf({ ...known, isComplete: false })).toEqual({ tone: "quiet", title: "Overview" });
    expect(verdictOf({ ...known, silent: ["The bridge"] })).toMatchObject({
      tone: "bad",
      title: "The bridge does not answer",
    });
    expect(verdictOf({ ...known, silent: ["The bridge", "The email service"] }).title).toBe("Nothing answers");
  });

  it.each([
    ["outage", "No mail leaves: the email service does not answer", "bad"],
    ["blocked", "No mail leaves: the API key is refused", "bad"],
    ["paused", "Delivery is paused", "warn"],
  ] as const)(
    "of a delivery that is stopped (%s) comes before all others, and counts what waits",
    (dispatch, title, tone) => {
      const stopped = { ...status, dispatch, waiting: { ...waiting, total: 1_284 } };
      expect(verdictOf({ ...known, status: stopped, needs: [need as Need], silent: ["The email service"] })).toEqual({
        tone,
        title,
        text: "1,284 deliveries wait, and go out later. Nothing is lost.",
      });
    },
  );

  it("is the worst thing that needs a person, and counts the others", () => {
    expect(verdictOf({ ...known, needs: [need as Need] })).toMatchObject({ title: need.title, text: "Resume it." });
    const three = [need, need, need] as Need[];
    expect(verdictOf({ ...known, needs: three }).text).toBe("2 other things need you too.");
    expect(verdictOf({ ...known, needs: three.slice(1) }).text).toBe("1 other thing needs you too.");
  });

  it("is a backlog of more than a minute, with its end if that is known", () => {
    const late = { ...status, waiting: { ...waiting, total: 8_407, oldestMs: 61_000 } };
    expect(verdictOf({ ...known, status: late }).title).toBe("Catching up: 8,407 deliveries wait");
    const doneAt = new Date(NOW + 13.5 * 60_000).toISOString();
    const shrinking = { ...late, backlog: { ...backlog, doneAt } };
    expect(verdictOf({ ...known, status: shrinking }).title).toBe("Catching up: 8,407 deliveries wait, about 14 min");
    expect(drainText(doneAt, NOW)).toBe(", about 14 min");
    expect(drainText(null, NOW)).toBe("");
  });
});
