import { describe, expect, it } from "vitest";
import type { Retry } from "../../../../scripts/campaign/answers.ts";
import { UsageError } from "../../../../scripts/lib/cli.ts";
import { Refused } from "../../../../scripts/lib/team-service.ts";
import { command, listed, progress, statusOf } from "./world.ts";

const changed = (changes = {}) => ({ ...listed(), status: "Sending", progress: progress(), ...changes });

it.each([
  ["list --status Foo", "--status Foo: expected one of Draft, Scheduled, Sending, Sent."],
  ["recipients cmp_1 --state foo", "--state foo: expected one of queued, sent,"],
  ["recipients cmp_1 --group foo", "--group foo: expected one of opened, notOpened, clicked, unsubscribed."],
])("a value that an option does not have is a wrong command line: %s", async (line, message) => {
  const error = await command(line).catch((caught) => caught);
  expect(error).toBeInstanceOf(UsageError);
  expect(error.message).toContain(message);
});

describe("npm run campaign", () => {
  it("lists campaigns", async () => {
    const campaigns = [
      listed({ status: "Sending", progress: progress({ state: "paused", recipients: 12_345 }) }),
      listed({ id: "cmp_2", name: "Autumn", status: "Scheduled", scheduledFor: "2026-11-23T08:00:00.000Z" }),
    ];
    const { printed } = await command("list", {}, { campaigns });
    expect(printed[0]).toMatch(/Spring sale +Sending, paused +12,345 +580 +2026-11-22 12:00 UTC +cmp_1/);
    expect(printed[0]).toMatch(/Autumn +Scheduled +2026-11-23 08:00 UTC +cmp_2/);
    expect((await command("list", {}, { campaigns: [] })).printed[0]).toContain("no such campaign");
    const some = { "GET ?perPage=50&status=Sent": { pagination: { nextCursor: null }, data: [] } };
    expect(JSON.parse((await command("list --status Sent --json", some)).printed[0] ?? "")).toEqual([]);
  });

  it("finds a campaign by its id or its name, and names the others", async () => {
    const answers = { "POST /cmp_1/pause": changed() };
    expect((await command("pause cmp_1", answers)).printed[0]).toContain("Spring sale is paused.");
    expect((await command("pause cmp_1", answers)).lists).toBe(0);
    const byName = await command("pause spring", answers, { campaigns: [listed({ name: "Spring" })] });
    expect([byName.lists, byName.printed.length]).toEqual([1, 1]);
    const odd = { campaigns: [listed({ name: "cmp_autumn" })] };
    expect((await command("pause cmp_autumn", answers, odd)).printed).toHaveLength(1);
    await expect(command("pause cmp_2", answers)).rejects.toThrow(/no campaign "cmp_2"[\s\S]*cmp_1 +Spring sale/);
    await expect(command("pause autumn", answers)).rejects.toThrow(/no campaign "autumn"[\s\S]*cmp_1 +Spring sale/);
    const twice = { campaigns: [listed({ name: "x" }), listed({ id: "cmp_2", name: "x" })] };
    await expect(command("pause x", {}, twice)).rejects.toThrow("2 campaigns have the name");
  });

  it.each([
    ["puase cmp_1", "Did you mean pause?"],
    ["show", "Missing required argument 'campaign'"],
    ["contact cmp_1", "Missing required argument 'contact'"],
    ["contact cmp_1 ..", '".." names no contact'],
    ["pause Spring sale", "Put a name with spaces in quotes."],
    ["pause cmp_1 --dry-run", "Unknown option '--dry-run'\nIt is an option of send."],
    ["send cmp_1 --expected many", "--expected many: expected a whole number"],
    ["send cmp_1 --json", "--json asks nothing: confirm with --expected n."],
    ["send cmp_1 --dry-run --expected 3", "--dry-run sends nothing"],
    ["send cmp_1 --watch --no-watch", "--watch cannot be with"],
    ["recipients cmp_1 --out a.csv --json", "--out writes all recipients as CSV"],
    ["recipients cmp_1 --limit 0", "--limit 0: expected a whole number from 1"],
  ])("%s is a wrong command line, and nothing is done", async (line, message) => {
    const error = await command(line).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toContain(message);
  });

  it("shows the status in words, with the subject, the sender and the audience of the v1 API", async () => {
    const waiting = [{ code: "hour_limit", message: "The limit of 500 mails an hour is reached until 12:40." }];
    const { printed } = await command("show cmp_1", { "GET /cmp_1/status": statusOf({ waiting }) });
    expect(printed[0]?.split("\n").map((line) => line.trimEnd())).toEqual([
      "Spring sale (cmp_1): Sending",
      "Subject           Spring is here",
      "From              Acme <news@…>",
      'Audience          the mailing list "Newsletter" and the segment "Active" and the filter ("plan" must be "pro")',
      "Recipients        1,000",
      "  sent            580 (58.0 %)",
      "  queued          400 (40.0 %)",
      "  skipped         15 (1.5 %)",
      "  failed          4 (0.4 %)",
      "  unknown         1 (0.1 %)",
      "Started           2026-11-22 12:00 UTC",
      "Mails per second  12.3",
      "Done at about     2026-11-22 12:01 UTC",
      "The limit of 500 mails an hour is reached until 12:40.",
      "npm run campaign -- results cmp_1 says why mails were skipped or failed.",
    ]);
    const held = statusOf({ progress: progress({ state: "held", reason: "bounce_rate" }) });
    const without = await command("show cmp_1", { "GET /cmp_1/status": held }, { hasKey: false });
    expect(without.printed[0]).toMatch(/^Spring sale \(cmp_1\): Sending, held: bounce rate\nRecipients/);
    const goOn = "npm run campaign -- resume cmp_1 lets it go on, npm run campaign -- cancel cmp_1 ends it.";
    expect(without.printed[0]?.split("\n")).toContain(goOn);
    expect(printed[0]).not.toContain("lets it go on");
    const scheduled = statusOf({ status: "Scheduled", scheduledFor: "2026-11-23T08:00:00.000Z", progress: null });
    const { printed: later } = await command("show cmp_1", { "GET /cmp_1/status": scheduled });
    expect(later[0]).toMatch(/^Spring sale \(cmp_1\): Scheduled\n[\s\S]*Starts +2026-11-23 08:00 UTC$/);
  });

  it("shows a wave with the command for each decision", async () => {
    const wave = {
      id: "wav_1",
      destination: "gd.example",
      cause: "550 5.1.1 user unknown",
      meaning: "gd.example said of 9 addresses in the same words that they do not exist.",
      since: "2026-11-22T12:00:00.000Z",
      mails: 9,
      campaigns: [{ id: "cmp_1", name: "Spring sale" }],
      decision: null,
      decisionAt: null,
      changed: 0,
      leftOut: {},
      done: true,
    };
    const held = statusOf({ progress: progress({ state: "held", reason: "bounce_wave" }), wave });
    const { printed } = await command("show cmp_1", { "GET /cmp_1/status": held });
    expect(printed[0]).toMatch(
      /resume cmp_1 lets it go on.*\nnpm run suppressions -- decide wav_1 suppress: the addresses do not exist\./,
    );
  });

  it("estimates who would get it, and who would not", async () => {
    const excluded = { unsubscribed: 40, no_email: 0, not_on_list: 1200 };
    const counts = { recipients: 3760, exact: false, low: 3600, high: 3900, matching: 5000, excluded, total: 20_000 };
    const answer = { ...counts, next: null };
    const { printed, asked } = await command("estimate cmp_1", { "POST /cmp_1/estimate": answer });
    expect(asked).toEqual([{ path: "POST /cmp_1/estimate", body: { exact: false } }]);
    expect(printed[0]).toBe(
      `Spring sale, if it were sent now:
Recipients           about 3,760 (3,600 to 3,900)
  not: unsubscribed  40
  not: not on list   1,200
Matching             5,000 of 20,000 contacts
These numbers come from a sample: --exact counts every contact.`,
    );
    const exact = await command("estimate cmp_1 --exact", { "POST /cmp_1/estimate": { ...answer, exact: true } });
    expect(exact.asked[0]?.body).toEqual({ exact: true });
    expect(exact.printed[0]).toMatch(/^Recipients +3,760\n/m);
    const parts = [
      { ...answer, next: "c1" },
      { ...answer, exact: true },
    ];
    const counted = await command("estimate cmp_1 --exact", { "POST /cmp_1/estimate": parts });
    expect(counted.asked.map(({ body }) => body)).toEqual([{ exact: true }, { exact: true, cursor: "c1" }]);
    expect(counted.progress).toEqual(["Counting: about 3,760 recipients", ""]);
    const ofBefore = await command("estimate cmp_1 --exact", { "POST /cmp_1/estimate": counts });
    expect(ofBefore.asked).toHaveLength(1);
  });

  it("pauses, resumes and unschedules, and says what to do next", async () => {
    const texts = await Promise.all(
      ["pause", "resume", "unschedule"].map(async (act) => {
        const answer = changed(act === "unschedule" ? { status: "Draft", progress: null } : {});
        return (await command(`${act} cmp_1`, { [`POST /cmp_1/${act}`]: answer })).printed[0];
      }),
    );
    expect(texts).toEqual([
      "Spring sale is paused. Mails that are on their way still leave. npm run campaign -- resume cmp_1",
      "Spring sale goes on. npm run campaign -- watch cmp_1",
      "Spring sale is Draft again. Nothing was sent.",
    ]);
  });

  it("resumes a campaign with more recipients than were confirmed once their number was typed, or with --expected", async () => {
    const refusal = new Refused('expected: resume it with "expected": 1320.', {
      code: "audience_changed",
      path: "expected",
      recipients: 1_320,
      confirmed: 20,
    });
    const answers = { "POST /cmp_1/resume": [refusal, changed()] };
    const typed = await command("resume cmp_1", answers, { typed: ["1,320"] });
    expect(typed.questions).toEqual([
      "Spring sale has 1,320 recipients now, and 20 were confirmed. Type the number of recipients (1,320) to send it to all of them:",
    ]);
    expect(typed.asked).toEqual([
      { path: "POST /cmp_1/resume" },
      { path: "POST /cmp_1/resume", body: { expected: 1_320 } },
    ]);
    expect(typed.printed).toEqual(["Spring sale goes on. npm run campaign -- watch cmp_1"]);
    const other = await command("resume cmp_1", answers, { typed: ["yes"] });
    expect([other.ok, other.asked.length]).toEqual([false, 1]);
    await expect(command("resume cmp_1", answers)).rejects.toThrow("Confirm with --expected 1320.");
    const given = await command("resume cmp_1 --expected 1320", { "POST /cmp_1/resume": changed() });
    expect(given.asked).toEqual([{ path: "POST /cmp_1/resume", body: { expected: 1_320 } }]);
    const always = { "POST /cmp_1/resume": refusal };
    await expect(command("resume cmp_1 --expected 20", always)).rejects.toThrow("resume it with");
    expect((await command("resume cmp_1 --json", always)).printed[0]).toContain('"recipients": 1320');
  });

  it("cancels once it was typed, or with --yes", async () => {
    const answers = { "GET /cmp_1/status": statusOf(), "POST /cmp_1/cancel": changed() };
    const yes = await command("cancel cmp_1 --yes", answers);
    expect(yes).toMatchObject({ ok: true, asked: [{ path: "POST /cmp_1/cancel" }], questions: [] });
    const typed = await command("cancel cmp_1", answers, { typed: [" Cancel "] });
    expect(typed.questions[0]).toContain("for good: 400 recipients get no mail then");
    expect(typed.printed).toEqual(["Spring sale is cancelled. It sent 580 mails."]);
    const other = await command("cancel cmp_1", answers, { typed: ["no"] });
    expect(other).toMatchObject({ ok: false, asked: [{ path: "GET /cmp_1/status" }] });
    expect(other.printed).toEqual(['You typed "no", not cancel. Nothing was changed.']);
    await expect(command("cancel cmp_1", answers)).rejects.toThrow("no terminal to ask. Confirm with --yes.");
  });

  it("duplicates a campaign in any state, and says the id of the draft", async () => {
    const answers = { "POST /cmp_1/duplicate": changed({ id: "cmp_2", name: "Spring sale (copy)", status: "Draft" }) };
    const { printed, questions } = await command("duplicate cmp_1", answers);
    expect(printed).toEqual(["Spring sale (copy) is a draft: cmp_2"]);
    expect(questions).toEqual([]);
  });

  it("deletes a draft once it was typed, or with --yes, and asks for none that the service refuses", async () => {
    const answers = { "DELETE /cmp_1": { success: true } };
    const yes = await command("delete cmp_1 --yes", answers);
    expect(yes).toMatchObject({ ok: true, asked: [{ path: "DELETE /cmp_1" }], questions: [] });
    const typed = await command("delete cmp_1", answers, { typed: ["delete"] });
    expect(typed).toMatchObject({ ok: true, printed: ["Spring sale is deleted."] });
    const other = await command("delete cmp_1", answers, { typed: ["yes"] });
    expect([other.ok, other.asked]).toEqual([false, []]);
    const sent = { campaigns: [listed({ status: "Sent" })] };
    expect((await command("delete cmp_1", answers, sent)).questions).toEqual([]);
    await expect(command("delete cmp_1", answers)).rejects.toThrow("no terminal to ask. Confirm with --yes.");
  });

  it("asks for no cancel that the service refuses, and names no recipients where they are not known", async () => {
    const cancel = async (changes: object, typed = ["no"]) => {
      const answers = {
        "GET /cmp_1/status": statusOf(changes),
        "POST /cmp_1/cancel": new Refused("It is a draft.", {}),
      };
      return (await command("cancel cmp_1", answers, { typed })).questions;
    };
    await expect(cancel({ status: "Draft", progress: null })).rejects.toThrow("It is a draft.");
    await expect(cancel({ status: "Sent", progress: progress({ state: "done", queued: 0 }) })).rejects.toThrow();
    const none = { recipients: 0, queued: 0, sent: 0, startedAt: null };
    expect(await cancel({ progress: progress({ state: "held", reason: "late", ...none }) })).toEqual([
      "Type cancel to cancel Spring sale, for good: it has not started, and nobody gets it then.",
    ]);
    expect(await cancel({ progress: progress({ state: "snapshot", queued: 3 }) })).toEqual([
      "Type cancel to cancel Spring sale, for good: 3 recipients, and those that are not collected yet, get no mail then.",
    ]);
  });

  const POST = "POST /cmp_1/retry-unknown";
  const retryOf = (changes: Partial<Retry> = {}): Retry => ({
    askedAt: "2026-11-22T12:00:00.000Z",
    unknown: 1,
    retried: 1,
    leftOut: {},
    done: true,
    stopped: false,
    ...changes,
  });
  const retried = (changes: Partial<Retry> = {}) => ({ id: "cmp_1", retry: retryOf(changes) });

  it("sends mails with an unknown outcome again once their number was typed", async () => {
    const answers = { "GET /cmp_1/status": statusOf(), [POST]: retried() };
    const typed = await command("retry-unknown cmp_1", answers, { typed: ["1"] });
    expect(typed.questions[0]).toContain("may get it twice");
    expect(typed.printed).toEqual(["1 mail of Spring sale is sent again. npm run campaign -- watch cmp_1"]);
    expect((await command("retry-unknown cmp_1", answers, { typed: [""] })).ok).toBe(false);
    const none = { "GET /cmp_1/status": statusOf({ progress: progress({ unknown: 0 }) }) };
    const nothing = { ...none, [POST]: { id: "cmp_1", retry: null } };
    expect((await command("retry-unknown cmp_1", nothing)).printed).toEqual([
      "No mail of Spring sale has an unknown outcome.",
    ]);
    const leftOut = { unsubscribed: 1, contact_deleted: 1_200 };
    for (const [many, first] of [
      [0, "No mail of Spring sale is sent again."],
      [2, "2 mails of Spring sale are sent again. npm run campaign -- watch cmp_1"],
    ] as const) {
      const some = { [POST]: retried({ retried: many, leftOut }) };
      expect((await command("retry-unknown cmp_1 --yes", some)).printed).toEqual([
        `${first}\nLeft out: 1 unsubscribed, 1,200 contact deleted.`,
      ]);
    }
  });

  it("shows how far the service is with sending them again, until it has come to all of them", async () => {
    const step = (many: number, done: boolean) =>
      statusOf({ retry: retryOf({ unknown: 2_500, retried: many, leftOut: { unsubscribed: 100 }, done }) });
    const answers = {
      [POST]: retried({ unknown: 2_500, retried: 0, leftOut: { contact_deleted: 1 }, done: false }),
      "GET /cmp_1/status": [step(1_000, false), step(2_400, true)],
    };
    const { printed, progress, asked } = await command("retry-unknown cmp_1 --yes", answers);
    expect(progress).toEqual(["1 of 2,500 mails", "1,100 of 2,500 mails", ""]);
    expect(printed).toEqual([
      "2,400 mails of Spring sale are sent again. npm run campaign -- watch cmp_1\nLeft out: 100 unsubscribed.",
    ]);
    expect(asked.map(({ path }) => path)).toEqual([POST, "GET /cmp_1/status", "GET /cmp_1/status"]);
    const json = await command("retry-unknown cmp_1 --yes --json", answers);
    expect(JSON.parse(json.printed.join("\n"))).toMatchObject({ id: "cmp_1", retry: { retried: 2_400, done: true } });
    const cancelled = {
      [POST]: retried({ done: false }),
      "GET /cmp_1/status": statusOf({ retry: retryOf({ done: false, stopped: true }) }),
    };
    expect((await command("retry-unknown cmp_1 --yes", cancelled)).printed).toEqual([
      "1 mail of Spring sale is sent again. npm run campaign -- watch cmp_1\nIt has stopped before all were looked at, because the campaign was cancelled.",
    ]);
    const early = await command("retry-unknown cmp_1 --yes", answers, { interruptAfter: 1 });
    expect(early.printed[0]).toMatch(/^1,000 mails of Spring sale are sent again\./);
  });

  it("shows a name of several lines in one, and gives it to programs as it is", async () => {
    const name = "Spring\n  cancelled 9\u001b[2J";
    const answer = { "GET /cmp_1/status": statusOf({ name }) };
    const { printed } = await command("show cmp_1", answer);
    expect(printed[0]).toMatch(/^Spring\\n {2}cancelled 9\\u001b\[2J \(cmp_1\): Sending\n/);
    expect(JSON.parse((await command("show cmp_1 --json", answer)).printed[0] ?? "")).toMatchObject({ name });
  });

  it("prints answers and refusals as JSON for programs", async () => {
    const answer = statusOf();
    expect(JSON.parse((await command("show cmp_1 --json", { "GET /cmp_1/status": answer })).printed[0] ?? "")).toEqual(
      answer,
    );
    const refusal = new Refused("It is a draft.", { code: "campaign_not_sending" });
    const refused = await command("pause cmp_1 --json", { "POST /cmp_1/pause": refusal });
    expect(refused.ok).toBe(false);
    expect(JSON.parse(refused.printed[0] ?? "")).toEqual({ code: "campaign_not_sending", message: "It is a draft." });
    await expect(command("pause cmp_1", { "POST /cmp_1/pause": refusal })).rejects.toThrow("It is a draft.");
  });
});
