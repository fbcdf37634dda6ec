import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aheadWith } from "../../../src/dashboard/app/api/service-time.ts";
import { estimateText } from "../../../src/dashboard/app/pages/campaigns/campaign-words.ts";
import {
  audienceOf,
  type Campaign,
  changedFields,
  conflictsIn,
  draftOf,
  draftWith,
  fieldOfPath,
  type Kept,
  keptWith,
  newConflicts,
  problemsOf,
  requestOf,
  withStored,
} from "../../../src/dashboard/app/pages/campaigns/compose/draft.ts";
import { judged, type Typed } from "../../../src/dashboard/app/pages/campaigns/compose/judged.ts";
import {
  choicesOf,
  fieldOf,
  gapText,
  instantOf,
  localOf,
} from "../../../src/dashboard/app/pages/campaigns/compose/local-time.ts";
import { senderOf } from "../../../src/dashboard/app/pages/campaigns/message.ts";
import { secondsToStart } from "../../../src/dashboard/app/pages/campaigns/state.ts";
import { emptyFilter } from "../../../src/dashboard/app/pages/segments/draft.ts";
import { whenText, zoneText } from "../../../src/dashboard/app/parts/time.ts";

const AT = "2026-11-22T12:00:00.000Z";
const NOW = Date.parse(AT);
const types = new Map([
  ["email", "string"],
  ["seats", "number"],
] as const);
const seats = (value: number) => ({
  match: "all" as const,
  conditions: [{ type: "property" as const, key: "seats", operator: "greaterThan" as const, value }],
});
const campaign = (changes: Partial<Campaign> = {}): Campaign => ({
  id: "cmp_1",
  url: "",
  name: "Spring sale",
  createdAt: AT,
  updatedAt: AT,
  status: "Draft",
  emailMessageId: "msg_1",
  campaignGroupId: "grp_1",
  mailingListId: null,
  audienceSegmentId: null,
  audienceFilter: null,
  scheduling: { method: "now", timestamp: null },
  ...changes,
});
const stored = draftOf(campaign({ audienceSegmentId: "seg_1", audienceFilter: seats(3) }), types);
const typed = (changes: Parameters<typeof keptWith>[2]): Kept => keptWith({}, stored, changes);
const request = (kept: Kept) => requestOf(draftWith(stored, kept), changedFields(stored, kept), types);

describe("a draft of a campaign", () => {
  it("is changed where it differs from what is stored, and its request has just that", () => {
    expect(request({})).toEqual({});
    expect(request(typed({ name: " Summer sale " }))).toEqual({ name: "Summer sale" });
    expect(request(typed({ name: "Spring sale", list: "lst_1" }))).toEqual({ mailingListId: "lst_1" });
    expect(request(typed({ group: "grp_2" }))).toEqual({ campaignGroupId: "grp_2" });
  });

  it("sends segment and filter together, because one of them alone clears the other", () => {
    expect(request(typed({ segment: null }))).toEqual({ audienceSegmentId: null, audienceFilter: seats(3) });
    expect(request(typed({ filter: null }))).toEqual({ audienceSegmentId: "seg_1", audienceFilter: null });
    expect(request(typed({ list: null }))).toEqual({});
  });

  it("has a time of its own or begins now; a time that is not asked for is no change", () => {
    const at = localOf("2026-12-01T09:30:00.000Z");
    expect(request(typed({ method: "schedule", at }))).toEqual({
      scheduling: { method: "schedule", timestamp: "2026-12-01T09:30:00.000Z" },
    });
    expect(request(typed({ at }))).toEqual({});
    const scheduled = draftOf(campaign({ scheduling: { method: "schedule", timestamp: AT } }), types);
    const now = keptWith({}, scheduled, { method: "now" });
    expect(requestOf(draftWith(scheduled, now), changedFields(scheduled, now), types)).toEqual({
      scheduling: { method: "now" },
    });
  });

  it("knows what another person saved since a field was changed first", () => {
    const kept = keptWith(typed({ name: "Mine" }), stored, { name: "Mine too", list: "lst_1" });
    expect(conflictsIn(stored, kept)).toEqual([]);
    expect(conflictsIn({ ...stored, name: "Theirs" }, kept)).toEqual(["name"]);
    expect(conflictsIn({ ...stored, name: "Mine too" }, kept)).toEqual([]);
    expect(conflictsIn({ ...stored, segment: "seg_2" }, kept)).toEqual([]);
  });

  it("has segment and filter as one field, and so its time: what another person saved of one half is a conflict", () => {
    const mine = typed({ segment: "seg_2" });
    const theirs = { ...stored, filter: null };
    expect(conflictsIn(theirs, mine)).toEqual(["segment", "filter"]);
    expect(conflictsIn({ ...stored, segment: "seg_3" }, typed({ filter: null }))).toEqual(["segment", "filter"]);
    expect(conflictsIn({ ...stored, segment: null }, typed({ name: "Mine" }))).toEqual([]);
    const scheduled = draftOf(campaign({ scheduling: { method: "schedule", timestamp: AT } }), types);
    const later = { ...scheduled, at: localOf("2026-12-01T09:30:00.000Z") };
    expect(conflictsIn(later, keptWith({}, scheduled, { method: "now" }))).toEqual(["method", "at"]);
  });

  it("has a conflict that its person has not seen, until the page shows it", () => {
    const mine = typed({ segment: "seg_2" });
    const theirs = { ...stored, filter: null };
    expect(newConflicts(stored, stored, mine)).toEqual([]);
    expect(newConflicts(stored, theirs, mine)).toEqual(["filter"]);
    expect(newConflicts(theirs, theirs, mine)).toEqual([]);
    expect(newConflicts(theirs, { ...theirs, segment: null }, mine)).toEqual(["segment"]);
  });

  it("has no audience to count while a condition is not whole", () => {
    expect(audienceOf({ ...stored, filter: emptyFilter }, types)).toBeUndefined();
    expect(audienceOf(stored, types)).toEqual({
      mailingListId: null,
      audienceSegmentId: "seg_1",
      audienceFilter: seats(3),
    });
    expect(audienceOf({ ...stored, filter: null }, types)?.audienceFilter).toBeNull();
  });

  it("says what is wrong at its field", () => {
    expect(problemsOf(stored, NOW)).toEqual({});
    expect(problemsOf({ ...stored, name: " " }, NOW)).toEqual({ name: "Give it a name." });
    const schedule = (at: string) => problemsOf({ ...stored, method: "schedule", at }, NOW).at;
    expect(schedule("")).toBe("Give a date and a time.");
    expect(schedule(localOf(AT))).toBe("This time has passed. Give another one.");
    expect(schedule(localOf("2026-11-22T12:01:00.000Z"))).toBeUndefined();
  });

  it.each([
    ["name", "name"],
    ["mailingListId", "list"],
    ["audience.mailingListId", "list"],
    ["audienceSegmentId", "segment"],
    ["audienceFilter.conditions.0.key", "filter"],
    ["audience.audienceFilter.conditions.1.value", "filter"],
    ["scheduling.timestamp", "at"],
    ["emailMessage.subject", undefined],
    [null, undefined],
  ])("has a place for the path %s", (path, field) => {
    expect(fieldOfPath(path)).toBe(field);
  });

  it("shows a stored choice that is gone", () => {
    const choices = [{ value: "lst_1", label: "News" }];
    expect(withStored(choices, "lst_1")).toEqual(choices);
    expect(withStored(choices, null)).toEqual(choices);
    expect(withStored(choices, "lst_2").at(-1)).toEqual({ value: "lst_2", label: "lst_2 (not there any more)" });
  });

  it("is from the sender of its message, else from that of the team", () => {
    expect(senderOf({ fromName: "Acme", fromEmail: "news" })).toBe("Acme <news@…>");
    expect(senderOf({ fromName: "", fromEmail: "" })).toBe("the sender of the team");
  });
});

describe("the checks of a draft", () => {
  const finding = (code: string, path: string | null, message = code) => ({ code, path, message });
  const answer = (changes: { problems?: object[]; warnings?: object[] } = {}) =>
    ({
      problems: [],
      warnings: [],
      ...changes,
    }) as never;
  const asTyped = (changes: Partial<Typed> = {}): Typed => ({
    draft: stored,
    changed: [],
    time: undefined,
    isNobody: false,
    ...changes,
  });
  const linesOf = (given: object, changes: Partial<Typed> = {}) =>
    judged(answer(given), asTyped(changes)).lines.map(({ tone, text }) => `${tone}: ${text}`);
  const WELL = ["The mail has no problems", "Its audience has people", "The footer has a postal address"];

  it("say what is well, and count what has to be fixed", () => {
    expect(linesOf({})).toEqual(WELL.map((text) => `good: ${text}`));
    const found = {
      problems: [finding("required", "emailMessage.subject", "No subject.")],
      warnings: [finding("no_postal_address", null, "No address.")],
    };
    expect(linesOf(found)).toEqual(["bad: No subject.", "warn: No address.", "good: Its audience has people"]);
    expect(judged(answer(found), asTyped()).problems).toBe(1);
    expect(linesOf({ warnings: [finding("same_content", "emailMessage", "Same.")] })).toContain(`good: ${WELL[0]}`);
  });

  it("judge the audience that is typed, not the stored one", () => {
    const everybody = { warnings: [finding("whole_audience", null, "Everybody.")] };
    expect(linesOf(everybody)).toContain("warn: Everybody.");
    expect(linesOf(everybody, { changed: ["segment"] })).toEqual(WELL.map((text) => `good: ${text}`));
    expect(linesOf({}, { changed: ["segment"], isNobody: true })).toContain("warn: Nobody would get it now.");
    const all = { ...stored, list: null, segment: null, filter: null };
    expect(linesOf({}, { changed: ["segment", "filter"], draft: all })[0]).toMatch(/^warn: It goes to everyone/);
    expect(
      linesOf({ problems: [finding("list_archived", "mailingListId", "Archived.")] }, { changed: ["list"] }),
    ).toEqual(WELL.map((text) => `good: ${text}`));
  });

  it("judge the time that is typed", () => {
    const past = { problems: [finding("scheduled_time_past", "scheduling.timestamp", "Past.")] };
    const draft = { ...stored, method: "schedule" as const, at: "2030-01-01T10:00" };
    expect(linesOf(past, { draft })).toContain("bad: Past.");
    expect(linesOf(past, { draft, changed: ["at"] })).toContain("good: Its time is ahead");
    const wrong = judged(answer(), asTyped({ draft, changed: ["at"], time: "Give a date and a time." }));
    expect([wrong.problems, wrong.lines[0]]).toEqual([1, { tone: "bad", text: "Give a date and a time." }]);
  });
});

describe("a time of this browser's zone", () => {
  it("comes back as the same instant, without its seconds", () => {
    expect(instantOf(localOf("2026-07-01T09:30:45.000Z"))).toBe("2026-07-01T09:30:00.000Z");
    expect(instantOf("")).toBeUndefined();
    expect(instantOf("soon")).toBeUndefined();
    expect(localOf(AT)).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/);
  });

  describe("where clocks are changed", () => {
    const { TZ } = process.env;
    beforeAll(() => {
      process.env.TZ = "Europe/Berlin";
    });
    afterAll(() => {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    });

    it("is one of two when they go back: a stored one stays the one it is, and a typed one is the first until its person says", () => {
      const [first, second] = ["2027-10-31T00:30:00.000Z", "2027-10-31T01:30:00.000Z"];
      expect([first, second].map((at) => localOf(at))).toEqual(["2027-10-31T02:30", "2027-10-31T02:30+01:00"]);
      expect([first, second].map((at) => fieldOf(localOf(at)))).toEqual(["2027-10-31T02:30", "2027-10-31T02:30"]);
      expect([first, second].map((at) => instantOf(localOf(at)))).toEqual([first, second]);
      expect([first, second].map((at) => zoneText(Date.parse(at)))).toEqual([
        "Europe/Berlin, UTC+02:00",
        "Europe/Berlin, UTC+01:00",
      ]);
      expect(choicesOf("2027-10-31T02:30")).toEqual([
        { value: "2027-10-31T02:30", label: "the first 02:30 (UTC+02:00)" },
        { value: "2027-10-31T02:30+01:00", label: "the second 02:30 (UTC+01:00)" },
      ]);
      for (const at of ["2027-10-31T01:59", "2027-10-31T03:00", "2027-03-28T02:30", ""])
        expect(choicesOf(at)).toEqual([]);
    });

    it("is one of the team's time zone where there is one", () => {
      expect(localOf("2027-07-01T12:00:00.000Z", "America/New_York")).toBe("2027-07-01T08:00");
      expect(instantOf("2027-07-01T08:00", "America/New_York")).toBe("2027-07-01T12:00:00.000Z");
      expect(instantOf("2027-11-07T01:30-05:00", "America/New_York")).toBe("2027-11-07T06:30:00.000Z");
      expect(choicesOf("2027-11-07T01:30", "America/New_York").map(({ label }) => label)).toEqual([
        "the first 01:30 (UTC−04:00)",
        "the second 01:30 (UTC−05:00)",
      ]);
      expect(gapText("2027-03-14T02:30", "America/New_York")).toContain("such as 03:30");
      expect(gapText("2027-03-28T02:30", "America/New_York")).toBeUndefined();
      expect(zoneText(Date.parse("2027-07-01T12:00:00Z"), "Asia/Kolkata")).toBe("Asia/Kolkata, UTC+05:30");
    });

    it("is said with its date and its zone", () => {
      expect(whenText("2027-10-31T01:30:00.000Z").replaceAll("\u202f", " ")).toBe(
        "Oct 31, 2027, 02:30 (Europe/Berlin, UTC+01:00)",
      );
    });

    it("is refused when they go forward over it, and says which it would be", () => {
      const draft = { ...stored, method: "schedule" as const, at: "2027-03-28T02:30" };
      expect(problemsOf(draft, NOW).at).toBe(
        "There is no 02:30 that night: clocks go forward. Give another time, such as 03:30.",
      );
      for (const at of ["2027-03-28T01:59", "2027-03-28T03:00", "2027-10-31T02:30+01:00", ""])
        expect(gapText(at)).toBeUndefined();
    });
  });

  it("has the name and the offset of the zone", () => {
    expect(zoneText(NOW)).toMatch(/^[\w/+-]+, UTC[+−]\d{2}:\d{2}$/);
  });
});

describe("who gets a campaign", () => {
  const counts = { recipients: 9, exact: true, low: 9, high: 9, matching: 12, excluded: {}, total: 30 };

  it("is said in a sentence, with the bounds of an estimate", () => {
    expect(estimateText(counts)).toBe(
      "9 contacts would get it, of 12 contacts that meet its segment and filter. The team has 30 contacts.",
    );
    expect(estimateText({ ...counts, total: 12 })).toBe("9 contacts would get it, of 12 contacts in the team.");
    expect(estimateText({ ...counts, exact: false, recipients: 9_000, low: 8_700, high: 9_300, total: 12 })).toBe(
      "About 9,000 contacts would get it (between 8,700 and 9,300), of about 12 contacts in the team.",
    );
  });

  it("is nobody for a reason", () => {
    const nobody = { ...counts, recipients: 0, low: 0, high: 0 };
    expect(estimateText(nobody)).toBe(
      "Nobody would get it: every contact that it is for is excluded, 12 of 30 in the team.",
    );
    expect(estimateText({ ...nobody, matching: 0 })).toBe(
      "Nobody would get it: no contact meets its segment and filter. The team has 30 contacts.",
    );
    expect(estimateText({ ...nobody, matching: 0, total: 0 })).toBe(
      "Nobody would get it: the team has no contact yet.",
    );
    expect(estimateText({ ...nobody, exact: false, high: 40 })).toMatch(
      /^About 0 contacts would get it \(between 0 and 40\)/,
    );
  });
});

describe("the countdown to a start", () => {
  const scheduled = (ms: number) => ({
    status: "Scheduled" as const,
    progress: null,
    scheduledFor: new Date(NOW + ms).toISOString(),
  });

  it("counts whole seconds to the service's time, and only where a start is near", () => {
    expect([30_000, 29_001, 500, 0, -5_000, 300_000, 300_001].map((ms) => secondsToStart(scheduled(ms), NOW))).toEqual([
      30,
      30,
      1,
      0,
      0,
      300,
      undefined,
    ]);
    expect(secondsToStart({ ...scheduled(1_000), status: "Draft" }, NOW)).toBeUndefined();
    expect(secondsToStart({ ...scheduled(1_000), status: "Sending" }, NOW)).toBeUndefined();
  });

  it.each([
    ["5 minutes behind", -300_000],
    ["5 minutes ahead", 300_000],
    ["right", 0],
  ])("goes by the service's clock where that of the browser is %s", (_, off) => {
    const browser = NOW + off;
    // The service answers at NOW + 40 ms. `Date` has whole seconds.
    const ahead = aheadWith(0, NOW, browser, browser + 80);
    expect(secondsToStart(scheduled(30_000), browser + ahead)).toBeGreaterThanOrEqual(29);
    expect(secondsToStart(scheduled(30_000), browser + ahead)).toBeLessThanOrEqual(31);
    const later = aheadWith(ahead, NOW + 2_000, browser + 2_500, browser + 2_600);
    expect(Math.abs(later + off)).toBeLessThanOrEqual(1_000);
    expect(aheadWith(later, NOW + 4_000, browser + 4_500, browser + 4_600)).toBe(later);
    expect(aheadWith(ahead, Number.NaN, browser, browser)).toBe(ahead);
  });
});
