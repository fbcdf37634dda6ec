import { describe, expect, it } from "vitest";
import { endText, progressText } from "../../../../scripts/campaign/progress.ts";
import { Refused } from "../../../../scripts/lib/team-service.ts";
import { command, progress, statusOf } from "./world.ts";

const NOW = Date.parse("2026-11-22T12:00:00.000Z");
const STATUS = "GET /cmp_1/status";
const ENDED = { queued: 0, finishedAt: "2026-11-22T12:01:20.000Z" };
const done = statusOf({ status: "Sent", progress: progress({ state: "done", sent: 980, ...ENDED }) });

describe("the progress of a campaign", () => {
  it("has a bar, the counts, the mails per second and the time left", () => {
    expect(progressText(statusOf(), NOW)).toBe(
      "████████████░░░░░░░░ 60 %  600 of 1,000: sent 580, skipped 15, failed 4, unknown 1  12.3 mails/s  1 min 20 s left",
    );
  });

  it("says while recipients are collected, it is paused, or waits for its time", () => {
    const text = (changes: Parameters<typeof progress>[0]) =>
      progressText(statusOf({ progress: progress(changes) }), NOW);
    expect(text({ state: "snapshot", recipients: 12_000 })).toBe("Collecting the recipients: 12,000 so far");
    expect(text({ state: "paused" })).toMatch(/60 % .*unknown 1 {2}paused$/);
    expect(text({ queued: 0, recipients: 0, sent: 0, skipped: 0, failed: 0, unknown: 0 })).toContain(
      "100 %  0 of 0: sent 0",
    );
    expect(text({ perSecond: null, eta: null })).toMatch(/unknown 1$/);
    const scheduled = statusOf({ status: "Scheduled", progress: null, scheduledFor: "2026-11-22T14:05:09.000Z" });
    expect(progressText(scheduled, NOW)).toBe("Scheduled: it starts in 2 h 5 min");
  });

  it("ends with what became of it", () => {
    expect(endText(done)).toBe(
      `Spring sale is done in 1 min 20 s: sent 980, skipped 15, failed 4, unknown 1, of an audience of 1,000.
Mails that may have left or not: 1. npm run campaign -- retry-unknown cmp_1
Opens and clicks: npm run campaign -- results cmp_1`,
    );
    const cancelled = progress({ state: "cancelled", queued: 0, cancelled: 400, unknown: 0 });
    expect(endText(statusOf({ status: "Sent", progress: cancelled }))).toMatch(
      /^Spring sale was cancelled: sent 580, .*cancelled 400/,
    );
  });
});

describe("npm run campaign -- watch", () => {
  it("looks until the campaign is done, and says once what keeps it waiting", async () => {
    const waits = statusOf({ waiting: [{ code: "hour_limit", message: "The limit of an hour is reached." }] });
    const ran = await command("watch cmp_1", { [STATUS]: [statusOf(), waits, waits, done] });
    expect(ran.ok).toBe(true);
    expect(ran.asked).toHaveLength(4);
    expect(ran.progress.filter((line) => line !== "")).toHaveLength(3);
    expect(ran.printed).toEqual(["The limit of an hour is reached.", endText(done)]);
  });

  it("looks until all recipients of a cancelled campaign are counted", async () => {
    const at = (queued: number, finishedAt: string | null) =>
      statusOf({
        status: "Sent",
        progress: progress({ state: "cancelled", queued, cancelled: 400 - queued, finishedAt }),
      });
    const end = at(0, "2026-11-22T12:00:09.000Z");
    const ran = await command("watch cmp_1", { [STATUS]: [at(400, null), at(100, null), end] });
    expect([ran.ok, ran.asked.length, ran.printed]).toEqual([false, 3, [endText(end)]]);
    const interrupted = await command("watch cmp_1", { [STATUS]: at(400, null) }, { interruptAfter: 2 });
    expect(interrupted.printed).toEqual([
      "It goes on being cancelled. npm run campaign -- watch cmp_1 shows it again.",
    ]);
  });

  it("says a reason once, whatever its time and its count are, and also where it comes and goes", async () => {
    const limited = (mails: number, second: number) =>
      statusOf({
        waiting: [
          {
            code: "mails_wait",
            message: `${mails} of its mails wait, the first of them until 2026-11-22T12:00:0${second}.000Z: the team sends at most 2 mails a second.`,
          },
        ],
      });
    const other = { code: "mails_wait", message: "The mail provider smtp.example.com does not answer." };
    const both = statusOf({ waiting: [...limited(3, 4).waiting, other] });
    const answers = [limited(9, 1), limited(8, 2), statusOf(), limited(7, 3), both, done];
    const { printed } = await command("watch cmp_1", { [STATUS]: answers });
    expect(printed).toEqual([limited(9, 1).waiting[0]?.message, other.message, endText(done)]);
  });

  it("prints a line of JSON for each look", async () => {
    const { printed, progress } = await command("watch cmp_1 --json", { [STATUS]: [statusOf(), done] });
    expect(printed.map((line) => JSON.parse(line))).toEqual([statusOf(), done]);
    expect(progress.filter((line) => line !== "")).toEqual([]);
  });

  it("ends at Ctrl-C alone: the campaign goes on, and it says how to pause it", async () => {
    const { ok, printed, asked } = await command("watch cmp_1", { [STATUS]: statusOf() }, { interruptAfter: 3 });
    expect([ok, asked.length]).toEqual([true, 3]);
    expect(printed).toEqual([
      "The campaign goes on. npm run campaign -- pause cmp_1 pauses it, -- watch cmp_1 shows it again.",
    ]);
    const paused = statusOf({ progress: progress({ state: "paused" }) });
    const waits = await command("watch cmp_1", { [STATUS]: paused }, { interruptAfter: 3 });
    expect(waits.printed).toEqual([
      "The campaign waits for a person. npm run campaign -- resume cmp_1 resumes it, -- watch cmp_1 shows it again.",
    ]);
  });

  it("goes on while the email service gives no answer for a while, and ends where it never does or refuses", async () => {
    const silence = new Error("Nothing answers.");
    const short = Array.from({ length: 29 }, () => silence);
    expect((await command("watch cmp_1", { [STATUS]: [...short, statusOf(), ...short, done] })).ok).toBe(true);
    await expect(command("watch cmp_1", { [STATUS]: silence })).rejects.toThrow(
      "Nothing answers. Only the watching has ended: the campaign does not need it.",
    );
    const gone = new Refused("No such campaign.", { code: "campaign_not_found" });
    await expect(command("watch cmp_1", { [STATUS]: [statusOf(), gone] })).rejects.toThrow("No such campaign.");
  });

  it("fails where the campaign was cancelled, or is a draft", async () => {
    const cancelled = statusOf({ status: "Sent", progress: progress({ state: "cancelled", ...ENDED }) });
    expect((await command("watch cmp_1", { [STATUS]: cancelled })).ok).toBe(false);
    const draft = await command("watch cmp_1", { [STATUS]: statusOf({ status: "Draft", progress: null }) });
    expect([draft.ok, draft.printed]).toEqual([false, ["Spring sale is not being sent."]]);
  });
});
