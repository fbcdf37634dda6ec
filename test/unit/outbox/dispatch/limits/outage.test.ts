import { describe, expect, it } from "vitest";
import {
  endedAt,
  isOld,
  isOutage,
  isReadOnly,
  nextAsk,
  outageAgain,
  outageFrom,
  type Silence,
  silenceAfter,
  type Unwritten,
  unwrittenAfter,
} from "../../../../../src/outbox/dispatch/limits/outage.ts";
import { outageText } from "../../../../../src/outbox/model/interruption.ts";
import type { Outcome } from "../../../../../src/outbox/model/outcome.ts";

const down: Outcome = { kind: "unknown", message: "503", status: 503, down: "503" };
const done: Outcome = { kind: "done", status: 200 };
const silenceOf = (outcomes: readonly (readonly [string, Outcome])[]): Silence | undefined =>
  outcomes.reduce<Silence | undefined>(
    (known, [person, outcome]) => silenceAfter(known, outcome, { person, key: person, startedAt: 0 }, 0),
    undefined,
  );
const failed = (...people: string[]) => people.map((person) => [person, down] as const);

type Write = readonly [person: string, outcome: Outcome, startedAt: number, now: number];
const unwrittenOf = (writes: readonly Write[], writtenAt = 0): Unwritten | undefined =>
  writes.reduce<Unwritten | undefined>(
    (known, [person, outcome, startedAt, now]) => unwrittenAfter(known, outcome, { person, startedAt }, writtenAt, now),
    undefined,
  );

describe("writes that fail where reads are answered", () => {
  it.each<[string, Write[], boolean]>([
    [
      "several people for long",
      [
        ["a", down, 0, 10_000],
        ["b", down, 1, 10_001],
      ],
      true,
    ],
    [
      "several people for a moment",
      [
        ["a", down, 0, 9_000],
        ["b", down, 1, 9_999],
      ],
      false,
    ],
    ["many people at once", ["a", "b", "c", "d", "e"].map((person) => [person, down, 0, 1] as const), true],
    [
      "one person for long",
      [
        ["a", down, 0, 10_000],
        ["a", down, 10_000, 20_000],
      ],
      false,
    ],
    [
      "an answered write between",
      [
        ["a", down, 0, 10_000],
        ["b", done, 10_000, 10_100],
        ["c", down, 0, 20_000],
      ],
      false,
    ],
    [
      "an answer older than all of them",
      [
        ["a", down, 50, 10_050],
        ["b", done, 0, 10_060],
        ["c", down, 60, 10_060],
      ],
      true,
    ],
    [
      "two people far apart",
      [
        ["a", down, 0, 10_000],
        ["b", down, 70_001, 80_001],
      ],
      false,
    ],
    [
      "two people within a minute",
      [
        ["a", down, 0, 10_000],
        ["b", down, 70_000, 80_000],
      ],
      true,
    ],
    ["no room for what is written", [["a", { kind: "deferred", message: "later" }, 0, 10_000]], false],
  ])("are an outage after %s: %#", (_, writes, isOne) => {
    const unwritten = unwrittenOf(writes);
    expect(unwritten !== undefined && isReadOnly(unwritten, writes.at(-1)?.[3] ?? 0)).toBe(isOne);
  });

  it("count from the last answered write", () => {
    expect(unwrittenOf([["a", down, 100, 500]], 300)?.since).toBe(300);
    expect(unwrittenOf([["a", down, 100, 500]], 50)?.since).toBe(100);
  });
});

describe("an outage begins", () => {
  it.each([
    ["five people in a row", failed("a", "b", "c", "d", "e"), 0, true],
    ["four people", failed("a", "b", "c", "d"), 9_999, false],
    ["one person many times", failed(...Array<string>(50).fill("a")), 9_999, false],
    ["an answer between", [...failed("a", "b", "c", "d"), ["e", done] as const, ...failed("f", "g")], 9_999, false],
    ["ten seconds", failed("a"), 10_000, true],
  ])("after %s: %#", (_, outcomes, now, isOne) => {
    expect(isOutage(silenceOf(outcomes) as Silence, now)).toBe(isOne);
  });

  it.each<[string, Outcome]>([
    ["success", done],
    ["refusal", { kind: "failed", status: 400, message: "no" }],
    ["429", { kind: "rate_limited", status: 429, message: "slow", wait: 0 }],
    ["refused key", { kind: "key_refused", status: 401, message: "no" }],
  ])("not where the email service answers with a %s", (_, outcome) => {
    expect(silenceOf([...failed("a", "b", "c", "d"), ["e", outcome]])).toBeUndefined();
  });

  it.each([
    ["older than the first failed call", 99, 200, true],
    ["as old as that call", 100, 200, false],
    ["newer", 101, 200, false],
    ["older, after the clock was set back", 50, 60, false],
  ])("whatever is answered to a call %s", (_, startedAt, now, expected) => {
    const first = silenceAfter(undefined, down, { startedAt: 100 }, 100);
    const second = silenceAfter(first, down, { startedAt: 20 }, 20);
    expect(isOld(second, done, startedAt, now)).toBe(expected);
    expect(isOld(second, down, startedAt, now)).toBe(false);
  });

  it("and calls that only wait make no answer old", () => {
    expect(isOld({ since: 100, people: [], keys: [] }, done, 50, 200)).toBe(false);
    expect(isOld(undefined, done, 50, 200)).toBe(false);
  });

  it("a probe asks after 5 s without an answer, and after 10 s", () => {
    const silence = { since: 100_000, people: [], keys: [] };
    expect(nextAsk(silence, 0)).toBe(105_000);
    expect(nextAsk(silence, 105_000)).toBe(110_000);
    expect(nextAsk(silence, 110_000)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("probes", () => {
  const silence = { since: 0, people: [], keys: [] };

  it("are 1 s to 60 s apart, and a minute where nothing could be sent", () => {
    let outage = outageFrom("503", silence, undefined, undefined, 0);
    const waits = [outage.until];
    for (let n = 0; n < 9; n++) {
      const at = outage.until;
      outage = outageAgain(outage, "503", false, at);
      waits.push(outage.until - at);
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000]);
    expect(outageAgain(outage, "503", true, 0).until).toBe(60_000);
  });

  it("that are answered while deliveries are not lead to waits of 10 s at most, in one outage", () => {
    let outage = outageFrom("500", silence, undefined, 7, 0);
    let ended = endedAt(outage, undefined, outage.until);
    const waits: number[] = [];
    for (let n = 0; n < 6; n++) {
      const at = ended.at + 500;
      outage = outageFrom("500", { ...silence, since: at - 100 }, ended, 7, at);
      expect(outage).toMatchObject({ since: 0, lastSuccess: 7 });
      waits.push(outage.until - at);
      ended = endedAt(outage, ended, outage.until);
    }
    expect(waits).toEqual([2_000, 4_000, 8_000, 10_000, 10_000, 10_000]);
    expect(outageFrom("500", { ...silence, since: 500_000 }, ended, 7, 500_000)).toMatchObject({ since: 500_000 });
  });
});

it("the sentence names the day of a time that is not today's", () => {
  const text = (since: string, until: string) =>
    outageText({ message: "connection refused", since: Date.parse(since), until: Date.parse(until) });
  expect(text("2026-11-28T22:26:05Z", "2026-11-28T22:27:00Z")).toBe(
    "The email service gives no answer: connection refused since 22:26:05; next attempt 22:27:00 UTC.",
  );
  expect(text("2026-11-28T22:26:05Z", "2026-11-29T00:00:01Z")).toBe(
    "The email service gives no answer: connection refused since 2026-11-28 22:26:05; next attempt 00:00:01 UTC.",
  );
});
