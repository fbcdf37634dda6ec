import { describe, expect, it } from "vitest";
import { endOfUnknown, nextAttempt } from "../../../../../src/email/workspace/sending/retry-schedule.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = 1_790_000_000_000;
const mail = { attempts: 1, retryAfter: 0, startedAt: START, notBefore: 0 };

describe("the next attempt after a 4xx answer", () => {
  it.each([
    ["waits at most 2 s after the first attempt", mail, START, 0.999, START + 1_998],
    ["doubles the longest wait", { ...mail, attempts: 5 }, START, 0.5, START + 16_000],
    ["waits at most an hour", { ...mail, attempts: 30 }, START, 0.999, START + 3_596_400],
    ["comes a minute after the first answer of a greylist", { ...mail, patient: true }, START, 0, START + MINUTE],
    ["comes four minutes later", { ...mail, attempts: 2, patient: true }, START, 0, START + 4 * MINUTE],
    ["comes ten minutes later", { ...mail, attempts: 3, patient: true }, START, 0, START + 10 * MINUTE],
    ["is at most a tenth late", { ...mail, attempts: 3, patient: true }, START, 0.999, START + 659_940],
    ["then waits from a quarter of an hour", { ...mail, attempts: 4, patient: true }, START, 0, START + 15 * MINUTE],
    ["up to an hour", { ...mail, attempts: 9, patient: true }, START, 0.999, START + 3_598_200],
    [
      "waits longer if a greylist asks for it",
      { ...mail, patient: true, retryAfter: 90_000 },
      START,
      0,
      START + 90_000,
    ],
    ["waits as long as asked", { ...mail, retryAfter: 90_000 }, START, 0, START + 90_000],
    ["waits at most an hour when asked for more", { ...mail, retryAfter: DAY }, START, 0, START + HOUR],
    ["is not before its own time", { ...mail, notBefore: START + 5_000 }, START, 0, START + 5_000],
    ["comes within 24 hours of the start", mail, START + DAY - 1, 0, START + DAY - 1],
    ["is none after 24 hours", mail, START + DAY, 0, undefined],
    ["is none if the wait ends after 24 hours", { ...mail, retryAfter: 1_000 }, START + DAY - 500, 0, undefined],
  ])("%s", (_what, deferred, now, random, at) => {
    expect(nextAttempt(deferred, now, random)).toBe(at);
  });
});

it("an unknown outcome ends 24 hours after the start, or now", () => {
  expect([endOfUnknown(START, START), endOfUnknown(START, START + 2 * DAY)]).toEqual([START + DAY, START + 2 * DAY]);
});
