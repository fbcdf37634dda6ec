import { describe, expect, it } from "vitest";
import {
  doneText,
  excludedLines,
  lostByCancel,
  missingParts,
  percentText,
  progressOf,
  retryOf,
  wonByResume,
} from "../../../src/dashboard/app/pages/campaigns/campaign-words.ts";
import {
  type Counts,
  comparedText,
  type LinkCounts,
  missedOf,
  placesText,
  signsOf,
  stopsOf,
} from "../../../src/dashboard/app/pages/campaigns/counts.ts";
import { GROWTHS, mostOf, USUAL_GROWTH } from "../../../src/dashboard/app/pages/campaigns/growth.ts";
import { beforeOf, levelsOf, unitSince } from "../../../src/dashboard/app/pages/campaigns/over-time.ts";
import {
  actsFor,
  isCancelledBefore,
  isOver,
  type Listed,
  noRecipientText,
  type Progress,
  pollOf,
  stateOf,
} from "../../../src/dashboard/app/pages/campaigns/state.ts";
import { withSigns } from "../../../src/dashboard/app/parts/mail-frame/signs.ts";
import { meaningOfRecipient } from "../../../src/email/workspace/campaigns/recipient-rows.ts";

const AT = "2026-11-22T12:00:00.000Z";

const progress = (changes: Partial<Progress> = {}): Progress => ({
  state: "sending",
  recipients: 1000,
  queued: 400,
  sent: 580,
  skipped: 15,
  failed: 4,
  unknown: 0,
  cancelled: 0,
  startedAt: AT,
  finishedAt: null,
  perSecond: 12.34,
  eta: "2026-11-22T12:01:20.000Z",
  ...changes,
});

type Stated = Pick<Listed, "status" | "progress"> & Partial<Pick<Listed, "scheduledFor">>;
const sending = (changes: Partial<Progress> = {}): Stated => ({ status: "Sending", progress: progress(changes) });
const draft: Stated = { status: "Draft", progress: null };
const scheduled: Stated = { status: "Scheduled", progress: null };
const done: Stated = { status: "Sent", progress: progress({ state: "done", queued: 0, finishedAt: AT }) };
const cancelled: Stated = { status: "Sent", progress: progress({ state: "cancelled", finishedAt: AT }) };
const atStart: Stated = sending({ state: "held", reason: "late", startedAt: null });

describe("a campaign", () => {
  it.each([
    ["draft", draft],
    ["scheduled", scheduled],
    ["collecting", sending({ state: "snapshot" })],
    ["sending", sending()],
    ["paused", sending({ state: "paused" })],
    ["held", atStart],
    ["cancelled", cancelled],
    ["sent", done],
  ])("has one word for its state: %s", (word, campaign) => {
    expect(stateOf(campaign)).toBe(word);
  });

  it("is asked for soon while it is sending, later before that, and not at all when it is over", () => {
    const now = Date.parse(AT);
    const at = (ms: number): Stated => ({ ...scheduled, scheduledFor: new Date(now + ms).toISOString() });
    const all = [
      sending(),
      sending({ state: "paused" }),
      scheduled,
      at(3_600_000),
      at(20_000),
      at(-1_000),
      draft,
      done,
    ];
    expect([...all, undefined].map((one) => pollOf(one, now))).toEqual([
      2_000,
      2_000,
      15_000,
      15_000,
      2_000,
      2_000,
      15_000,
      false,
      false,
    ]);
    const ending: Stated = { status: "Sent", progress: progress({ state: "cancelled" }) };
    expect([isOver(ending), pollOf(ending, now)]).toEqual([false, 2_000]);
    const retry = { askedAt: AT, unknown: 3, retried: 0, leftOut: {}, done: false, stopped: false };
    const polled = (changes: object) => pollOf({ ...done, retry: { ...retry, ...changes } }, now);
    expect([polled({}), polled({ done: true }), polled({ stopped: true })]).toEqual([2_000, false, false]);
  });

  it("that was cancelled before its start has no start and no recipient any more", () => {
    const early: Stated = { ...cancelled, progress: progress({ state: "cancelled", startedAt: null, recipients: 0 }) };
    expect([early, cancelled, scheduled, done].map(isCancelledBefore)).toEqual([true, false, false, false]);
    expect(noRecipientText(early).text).toBe("It was cancelled before any recipient was collected. Nobody gets it.");
    expect(noRecipientText(done).text).toBe("No contact was in its audience when it began to send.");
    expect(noRecipientText(sending({ state: "snapshot" })).text).toBe(
      "They are collected when the campaign begins to send.",
    );
  });

  it.each([
    [draft, []],
    [scheduled, ["unschedule", "cancel"]],
    [sending(), ["pause", "cancel"]],
    [sending({ unknown: 2 }), ["pause", "cancel", "retryUnknown"]],
    [sending({ state: "paused" }), ["resume", "cancel"]],
    [sending({ state: "held", reason: "bounce_rate" }), ["resume", "cancel"]],
    [atStart, ["resume", "unschedule", "cancel"]],
    [sending({ state: "held", reason: "more_recipients" }), ["resume", "unschedule", "cancel"]],
    [done, []],
    [{ ...done, progress: progress({ state: "done", unknown: 1, finishedAt: AT }) }, ["retryUnknown"]],
    [{ ...cancelled, progress: progress({ state: "cancelled", unknown: 1, finishedAt: AT }) }, []],
  ] as [Stated, string[]][])("has the acts that the service would not refuse: %#", (campaign, acts) => {
    expect(actsFor(campaign)).toEqual(acts);
  });
});

describe("the results of a campaign", () => {
  const counts = (changes: Partial<Counts>): Counts => ({
    id: "cmp_1",
    name: "Spring sale",
    status: "Sent",
    reasons: [],
    leftOut: null,
    previous: null,
    deleted: 0,
    reasonsAt: AT,
    recipients: 0,
    queued: 0,
    sent: 0,
    skipped: 0,
    failed: 0,
    unknown: 0,
    cancelled: 0,
    delivered: 0,
    bounced: 0,
    hardBounces: 0,
    softBounces: 0,
    complained: 0,
    unsubscribed: 0,
    unsubscribeReasons: [],
    opened: 0,
    clicked: 0,
    prefetched: 0,
    scanned: 0,
    ...changes,
  });
  const wordsOf = (changes: Partial<Counts>, isInbox = false) =>
    stopsOf(counts(changes), 7, isInbox).map(([{ name, fact }, next]) => [name, fact, next?.text]);

  it("go from sent to clicked, with the rate of each step, also where the mail provider refused addresses, and were never sent", () => {
    const refused = { sent: 1, failed: 3, skipped: 1, delivered: 1, bounced: 3, hardBounces: 2, softBounces: 1 };
    expect(wordsOf({ ...refused, recipients: 5, opened: 1 })).toEqual([
      ["1 sent", "7 did not get it", "25.0 %"],
      ["1 delivered", "3 bounced", "100.0 %"],
      ["1 opened", "by people, not programs", "0.0 %"],
      ["0 clicked", "0.0 % of delivered", undefined],
    ]);
    expect(wordsOf({ recipients: 2, queued: 2 }).map(([, , rate]) => rate)).toEqual(["", "", "", undefined]);
  });

  it("say the local inbox where it takes the mails", () => {
    expect(wordsOf({ recipients: 1, sent: 1, delivered: 1 }, true)[1]?.[1]).toBe("to the local inbox only");
    expect(meaningOfRecipient("sent", null, "inbox")).toBe(
      "In the local inbox only. It was not sent outside this machine.",
    );
    expect(meaningOfRecipient("sent", null, "smtp")).toBe("Accepted by the mail provider. No bounce so far.");
    expect(meaningOfRecipient("skipped", "unsubscribed")).toContain("the person had unsubscribed");
  });

  it("say who did not get it, the most first, and lead to them where they are listed", () => {
    const reason = (state: Counts["reasons"][number]["state"], reason: string, recipients: number) => ({
      state,
      reason,
      meaning: `because of ${reason}`,
      recipients,
    });
    const missed = missedOf(
      counts({
        leftOut: { notSelected: 1_902, notOnList: 0 },
        skipped: 840,
        cancelled: 3,
        failed: 9,
        reasons: [
          reason("skipped", "unsubscribed", 722),
          reason("skipped", "suppressed", 112),
          reason("bounced", "5.1.1", 9),
          reason("complained", "abuse", 4),
        ],
      }),
    );
    expect(missed).toEqual([
      { what: "Not in the segment or filter", many: 1_902, tone: "c-quiet" },
      {
        what: "Unsubscribed from everything",
        many: 722,
        tone: "c2",
        search: { state: "skipped", reason: "unsubscribed" },
      },
      {
        what: "The address is suppressed",
        many: 112,
        tone: "c-bad",
        search: { state: "skipped", reason: "suppressed" },
      },
      { what: "Because of 5.1.1", many: 9, tone: "c-bad", search: { state: "bounced", reason: "5.1.1" } },
      { what: "Not sent", many: 6, tone: "c-quiet", search: { state: "skipped" } },
      { what: "Cancelled", many: 3, tone: "c-quiet", search: { state: "cancelled" } },
    ]);
    expect(missedOf(counts({}))).toEqual([]);
  });

  it("compare rates with the campaign before in points, and not with one that nobody got", () => {
    const previous = (changes: object) => ({
      id: "cmp_0",
      name: "November",
      startedAt: AT,
      sent: 0,
      bounced: 0,
      unsubscribed: 0,
      complained: 0,
      delivered: 1_000,
      opened: 406,
      clicked: 73,
      ...changes,
    });
    const now = { delivered: 1_000, opened: 437, clicked: 73 };
    expect([
      comparedText("opened", now, previous({})),
      comparedText("opened", now, previous({ opened: 500 })),
      comparedText("clicked", now, previous({})),
      comparedText("opened", now, previous({ delivered: 0 })),
      comparedText("opened", { ...now, delivered: 0 }, previous({})),
      comparedText("opened", now, null),
    ]).toEqual([
      "3.1 points more than November",
      "6.3 points fewer than November",
      "as many as November",
      undefined,
      undefined,
      undefined,
    ]);
  });

  const place = (fields: Partial<LinkCounts["places"][number]>) =>
    ({ place: 1, kind: "text", text: "offer", clicks: 0, people: 0, ...fields }) as const;

  it("name the places of a link, and have the share of those who clicked there", () => {
    const places = [
      place({ kind: "button", text: "Take it", people: 3 }),
      place({ place: 4 }),
      place({ place: 6, people: 1 }),
    ];
    expect(placesText({ places })).toBe("Button “Take it”, “offer”");
    expect(placesText({ places: [place({ kind: "picture", text: "" })] })).toBe("Picture");
    const link = { url: "https://a.example/", clicks: 9, people: 4, robots: 0, places };
    expect(signsOf([link], 4)).toEqual([
      { place: 1, text: "75 %" },
      { place: 6, text: "25 %" },
    ]);
    expect(signsOf([link], 0)).toEqual([]);
  });

  it("are drawn on the links of the mail, not on those in comments for Outlook", () => {
    const outlook = '<!--[if mso]><v:roundrect href="https://b.example/"></v:roundrect><a href="x">x</a><![endif]-->';
    const html = `<a name="top"></a>${outlook}<!--[if !mso]><!--><a href="https://b.example/?a=1&gt;" style="color:red">B</a><!--<![endif]--><a class="c" href="https://a.example/">A</a>`;
    const marked = withSigns(html, [
      { place: 1, text: "75 %" },
      { place: 2, text: "25 %" },
    ]);
    expect(marked.replaceAll(/<span style="[^"]*">/g, "<span>")).toBe(
      `<a name="top"></a>${outlook}<!--[if !mso]><!--><a href="https://b.example/?a=1&gt;" style="position:relative;color:red"><span>75 %</span>B</a><!--<![endif]--><a style="position:relative" class="c" href="https://a.example/"><span>25 %</span>A</a>`,
    );
    expect(withSigns(html, [{ place: 3, text: "1 %" }])).toBe(html);
  });
});

describe("a campaign over time", () => {
  const hour = (n: number) => new Date(Date.parse(AT) + n * 3_600_000).toISOString();
  const times = {
    unit: "hour",
    points: [3, 2, 0, 1].map((opened, n) => ({ at: hour(n), sent: 9, opened, clicked: n })),
  } as const;
  const given = { ...times, points: [...times.points] };

  it("has levels that rise, of its first hours or of all", () => {
    expect(levelsOf(given).map(({ counts }) => [counts.opened, counts.clicked])).toEqual([
      [3, 0],
      [5, 1],
      [5, 3],
      [6, 6],
    ]);
    expect(levelsOf(given, 2).map(({ at, until }) => (until - at) / 3_600_000)).toEqual([1, 1]);
    expect(levelsOf({ unit: "hour", points: [] })).toEqual([]);
  });

  it("has beside it the campaign before, as long after its start, which stays at its last point", () => {
    expect(beforeOf(given, 6)).toEqual([3, 5, 5, 6, 6, 6]);
    expect(beforeOf(given, 1)).toEqual([3]);
    expect(beforeOf({ unit: "hour", points: [] }, 2)).toEqual([0, 0]);
  });

  it("is by hour for a week, and by day after it", () => {
    const at = (hours: number) => unitSince(AT, Date.parse(AT) + hours * 3_600_000);
    expect([at(1), at(168), at(169)]).toEqual(["hour", "hour", "day"]);
  });
});

describe("the words of a campaign", () => {
  it("say how far it is, how fast it goes, and when it will be done", () => {
    const now = Date.parse(AT);
    expect(progressOf(progress(), now)).toEqual({
      share: 0.6,
      text: "600 of 1,000: sent 580, skipped 15, failed 4. 12.3 a second, 80 s left",
    });
    expect(progressOf(progress({ perSecond: null, eta: null }), now).text).toBe(
      "600 of 1,000: sent 580, skipped 15, failed 4.",
    );
    expect(progressOf(progress({ eta: "2026-11-22T11:59:00.000Z" }), now).text).toMatch(/ 12\.3 a second$/);
    expect(progressOf(progress({ state: "snapshot", recipients: 2_000 }), now)).toEqual({
      share: undefined,
      text: "Its recipients are being collected: 2,000 so far.",
    });
    expect(progressOf(progress({ recipients: 0, queued: 0, sent: 0, skipped: 0, failed: 0 }), now).share).toBe(1);
  });

  it("count the results, and always the mails that were sent", () => {
    expect(doneText(progress({ sent: 0, skipped: 0, failed: 0, cancelled: 1_200 }))).toBe("sent 0, cancelled 1,200");
  });

  it("give a share of something, and none of nothing", () => {
    expect([percentText(1, 3), percentText(0, 7), percentText(0, 0)]).toEqual(["33.3 %", "0.0 %", ""]);
  });

  it("say who does not get it, and why, also for a reason that is new", () => {
    expect(excludedLines({ unsubscribed: 1_200, suppressed: 0, no_email: 1, too_young: 2 })).toEqual([
      "1,200 not: unsubscribed from everything",
      "2 not: too young",
      "1 not: no address",
    ]);
  });

  it("say who does not get it as parts of all, the most first", () => {
    const estimated = { recipients: 500, exact: true, low: 500, high: 500, matching: 512, total: 520 };
    expect(
      missingParts({ ...estimated, excluded: { unsubscribed: 3, suppressed: 9, no_email: 0, too_young: 1 } }),
    ).toEqual([
      { label: "9 not: the address is suppressed", many: 9, tone: "c-bad" },
      { label: "8 not: not in its segment and filter", many: 8, tone: "c-quiet" },
      { label: "3 not: unsubscribed from everything", many: 3, tone: "c2" },
      { label: "1 not: too young", many: 1, tone: "c2" },
    ]);
    expect(missingParts({ ...estimated, matching: 520, excluded: {} })).toEqual([]);
  });

  it("say above how many people a campaign is held that grows", () => {
    expect([0, 10, 25, 100].map((growth) => mostOf(6_031, growth))).toEqual([6_031, 6_635, 7_539, 12_062]);
    expect(GROWTHS.map(({ value }) => Number(value))).toContain(USUAL_GROWTH);
  });

  it("say what a resume does", () => {
    expect(wonByResume(atStart)).toMatch(
      /^It begins at once, with the recipients that it has now\. It is held again if/,
    );
    expect(wonByResume(sending({ state: "paused" }))).toBe("It goes on: 400 recipients wait for a mail.");
    expect(wonByResume(sending({ state: "paused", queued: 1 }))).toBe("It goes on: 1 recipient waits for a mail.");
  });

  it("say what a cancel takes away", () => {
    expect(lostByCancel(scheduled)).toMatch(/^It has not started, and nobody gets it then/);
    expect(lostByCancel(atStart)).toMatch(/^It has not started/);
    expect(lostByCancel(sending({ sent: 1 }))).toBe(
      "400 recipients get no mail then, but for mails that have begun to leave. 1 mail of it has left. This cannot be undone.",
    );
    expect(lostByCancel(sending({ state: "paused", queued: 1 }))).toMatch(/^1 recipient gets no mail then\. 580 mails/);
    expect(lostByCancel(sending({ state: "snapshot" }))).toMatch(
      /^400 recipients, and those that are not collected yet, get no mail then\. 580 mails of it have left\./,
    );
  });
});

describe("mails that are sent again", () => {
  const retry = (changes: object = {}) => ({
    askedAt: AT,
    unknown: 50_000,
    retried: 0,
    leftOut: {},
    done: false,
    stopped: false,
    ...changes,
  });

  it.each([
    [retry(), 0, "0 mails with an unknown outcome are sent again, and 50,000 more are looked at."],
    [
      retry({ retried: 12_000, leftOut: { contact_deleted: 500 } }),
      0.25,
      "12,000 mails with an unknown outcome are sent again, and 37,500 more are looked at. 500 not: the contact was deleted.",
    ],
    [retry({ unknown: 1, retried: 1, done: true }), 1, "1 mail with an unknown outcome is sent again."],
    [
      retry({ retried: 12_000, stopped: true }),
      0.24,
      "12,000 mails with an unknown outcome are sent again. It has stopped before all were looked at, because the campaign was cancelled.",
    ],
    [retry({ retried: 40_000, done: true }), 0.8, "40,000 mails with an unknown outcome are sent again."],
  ])("say how far the service is: %#", (given, share, text) => {
    expect(retryOf(given)).toEqual({ share, text });
  });
});
