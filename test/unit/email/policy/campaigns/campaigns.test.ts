import { describe, expect, it } from "vitest";
import { lockedField, lockOf } from "../../../../../src/email/policy/campaigns/locked.ts";
import { paceOf } from "../../../../../src/email/policy/campaigns/progress.ts";
import { readScheduling } from "../../../../../src/email/policy/campaigns/scheduling.ts";

const NOW = Date.UTC(2031, 2, 1, 12);
const YEAR_MS = 365 * 86_400_000;
const schedule = (timestamp: string | number, zone = "UTC") =>
  readScheduling({ method: "schedule", timestamp }, NOW, zone);

describe("the time of a campaign", () => {
  it.each([
    ["2031-03-01T12:00:01Z", NOW + 1_000],
    ["2031-03-01T13:00:01+01:00", NOW + 1_000],
    ["2031-03-01 14:00:00+0100", Date.UTC(2031, 2, 1, 13)],
    [NOW + 1, NOW + 1],
    [NOW + YEAR_MS, NOW + YEAR_MS],
  ])("%s is read as an instant", (timestamp, scheduledAt) => {
    expect(schedule(timestamp)).toEqual({ scheduling: { method: "schedule", scheduledAt } });
  });

  it.each([
    ["2031-03-01T12:00:00Z", "in the future"],
    [NOW, "in the future"],
    ["2031-03-01T13:00:00+01:00", "in the future"],
    [NOW + YEAR_MS + 1, "within a year"],
    ["2033-01-01T00:00:00Z", "within a year"],
    ["tomorrow", "must be a date"],
    ["", "must be a date"],
    ["2031-02-30T12:00:00Z", "must be a date"],
    [Number.POSITIVE_INFINITY, "must be a date"],
    [Math.floor(NOW / 1_000) + 60, "looks like Unix seconds"],
    ["2031-03-02", "offset"],
    ["2031-03-02T12:00:00", "offset"],
  ])("%s is refused: %s", (timestamp, words) => {
    const read = schedule(timestamp) as { refusal: { code: string; path: string; message: string } };
    expect(read.refusal).toMatchObject({ code: "invalid_request", path: "scheduling.timestamp" });
    expect(read.refusal.message).toContain(words);
  });

  it("without an offset is one of the team's time zone", () => {
    const at = (timestamp: string) => schedule(timestamp, "Europe/Berlin");
    expect(at("2031-03-02T09:00")).toEqual({
      scheduling: { method: "schedule", scheduledAt: Date.UTC(2031, 2, 2, 8) },
    });
    expect(at("2031-07-02T09:00:00")).toEqual({
      scheduling: { method: "schedule", scheduledAt: Date.UTC(2031, 6, 2, 7) },
    });
    expect(at("2031-07-02T09:00:00Z")).toEqual(schedule("2031-07-02T09:00:00Z"));
    for (const [wall, words] of [
      ["2031-03-30T02:30", "does not exist in Europe/Berlin"],
      ["2031-10-26T02:30", "comes twice in Europe/Berlin"],
      ["2031-03-02", "a time and its offset"],
    ] as const)
      expect(at(wall)).toMatchObject({
        refusal: { path: "scheduling.timestamp", message: expect.stringContaining(words) },
      });
    expect(at("2031-10-26T02:30")).toMatchObject({
      refusal: { message: expect.stringContaining("2031-10-26T00:30:00.000Z or 2031-10-26T01:30:00.000Z") },
    });
  });

  it("has an example in its refusal that is accepted", () => {
    const read = schedule("2031-03-02") as { refusal: { message: string } };
    const [, example = ""] = /such as (\S+)\.$/.exec(read.refusal.message) ?? [];
    expect(schedule(example)).toEqual({ scheduling: { method: "schedule", scheduledAt: Date.UTC(2031, 2, 2, 8) } });
  });

  it.each([undefined, null])("is none with the timestamp %s", (timestamp) => {
    const expected = { scheduling: { method: "now", scheduledAt: null } };
    expect(readScheduling({ method: "now", timestamp }, NOW, "UTC")).toEqual(expected);
  });
});

describe("the lock of a campaign", () => {
  const changes = { name: "A", campaignGroupId: "g", mailingListId: undefined };

  it.each(["Draft", "Scheduled", "Sending", "Sent"] as const)("lets name and group change: %s", (status) => {
    expect(lockedField(status, changes)).toBeUndefined();
  });

  it.each(["Scheduled", "Sending", "Sent"] as const)(
    "names the first other field, also one that is null: %s",
    (status) => {
      expect(lockedField(status, { ...changes, audienceFilter: null, scheduling: {} })).toBe("audienceFilter");
      expect(lockOf(status, null)).toMatch(/^(is|has) /);
      expect(lockOf(status, "cancelled")).toMatch(status === "Sent" ? /^was cancelled\./ : /^is /);
    },
  );

  it("is none for a draft", () => {
    expect(lockedField("Draft", { mailingListId: null })).toBeUndefined();
    expect(lockOf("Draft", null)).toBeUndefined();
  });
});

it("the pace of a campaign is its mean rate since it goes, and says when it is done", () => {
  const free = { lastAt: NOW, isFull: false };
  expect(paceOf({ since: NOW - 10_000, done: 50, left: 100, ...free }, NOW)).toEqual({
    perSecond: 5,
    doneAt: NOW + 20_000,
  });
  const unknown = { perSecond: null, doneAt: null };
  expect(paceOf({ since: NOW, done: 50, left: 100, ...free }, NOW)).toEqual(unknown);
  expect(paceOf({ since: NOW - 1, done: 0, left: 100, ...free }, NOW)).toEqual(unknown);
});

it("a campaign is not done before its send limits let the last mail leave, and while they let none leave, its rate says nothing", () => {
  const moved = { since: NOW - 10_000, done: 1_000, left: 1_000, lastAt: NOW + 3_590_000 };
  expect(paceOf({ ...moved, isFull: false }, NOW)).toEqual({ perSecond: 100, doneAt: NOW + 3_590_000 });
  const later = { ...moved, since: NOW - 3_540_000, lastAt: NOW + 70_000, isFull: true };
  expect(paceOf(later, NOW).doneAt).toBe(NOW + 70_000);
  expect(paceOf({ ...later, done: 0 }, NOW)).toEqual({ perSecond: null, doneAt: NOW + 70_000 });
});
