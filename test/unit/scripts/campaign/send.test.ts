import { describe, expect, it } from "vitest";
import { UsageError } from "../../../../scripts/lib/cli.ts";
import { Refused } from "../../../../scripts/lib/team-service.ts";
import { command, progress, statusOf } from "./world.ts";

const estimate = {
  recipients: 1200,
  exact: true,
  low: 1200,
  high: 1200,
  matching: 1250,
  excluded: { unsubscribed: 50 },
  total: 2000,
  next: null,
};
const sent = {
  id: "cmp_1",
  status: "Sending",
  scheduledFor: null,
  recipients: { estimate: 1200, exact: true },
  maxRecipients: null,
  problems: [],
  warnings: [{ code: "no_list", path: "mailingListId", message: "It has no mailing list." }],
};
const done = statusOf({
  status: "Sent",
  progress: progress({ state: "done", queued: 0, sent: 980, finishedAt: "2026-11-22T12:01:20.000Z" }),
});
const answers = { "POST /cmp_1/send": sent, "POST /cmp_1/estimate": estimate, "GET /cmp_1/status": done };
const SEND = { path: "POST /cmp_1/send", body: { expected: 1200 } };

describe("npm run campaign -- send", () => {
  it("shows what it would send, sends once the number was typed, and shows the progress to the end", async () => {
    const ran = await command("send cmp_1", answers, { typed: ["1,200"] });
    expect(ran.printed[0]).toBe(
      `Spring sale (cmp_1)
Subject              Spring is here
From                 Acme <news@…>
Audience             the mailing list "Newsletter" and the segment "Active" and the filter ("plan" must be "pro")
Starts               now
Recipients           1,200
  not: unsubscribed  50
Matching             1,250 of 2,000 contacts
Warnings:
  mailingListId: It has no mailing list.`,
    );
    expect(ran.questions).toEqual(["Type the number of recipients (1,200) to send it:"]);
    expect(ran.asked).toEqual([
      { path: "POST /cmp_1/send", body: { dryRun: true } },
      { path: "POST /cmp_1/estimate", body: { exact: true } },
      SEND,
      { path: "GET /cmp_1/status" },
    ]);
    expect(ran.printed[2]).toContain("Spring sale is done in 1 min 20 s: sent 980");
    expect(ran.ok).toBe(true);
  });

  it("sends nothing where another number was typed, the input ended, or there is no terminal to ask", async () => {
    const other = await command("send cmp_1", answers, { typed: ["120"] });
    expect(other.printed.at(-1)).toBe('You typed "120", not 1200. Nothing was changed.');
    const ended = await command("send cmp_1", answers, { isTerminal: true });
    for (const ran of [other, ended]) expect([ran.ok, ran.asked.length]).toEqual([false, 2]);
    await expect(command("send cmp_1", answers)).rejects.toThrow(
      new UsageError("There is no terminal to ask. Confirm with --expected 1200."),
    );
  });

  it("with --expected asks nothing, and watches only at a terminal or when told to", async () => {
    const script = await command("send cmp_1 --expected 1200", answers, { hasKey: false });
    expect(script).toMatchObject({ ok: true, questions: [] });
    expect(script.asked.slice(-1)).toEqual([SEND]);
    expect(script.printed[0]).toContain("EMAIL_API_KEY is no key of this team");
    const watched = await command("send cmp_1 --expected 1200 --watch", answers);
    expect(watched.printed.at(-1)).toContain("Spring sale is done");
    const not = await command("send cmp_1 --no-watch", answers, { typed: ["1200"] });
    expect(not.printed.at(-1)).toBe("Spring sale is being sent. npm run campaign -- pause cmp_1 pauses it.");
    const json = await command("send cmp_1 --expected 1200 --json", answers);
    expect(json.asked).toEqual([SEND]);
    expect(JSON.parse(json.printed[0] ?? "")).toEqual(sent);
  });

  it("says that the number of recipients has changed", async () => {
    const message = "The campaign has 1300 recipients now, not 12. Look at it again.";
    const refusal = new Refused(message, { code: "audience_changed" });
    const refused = { ...answers, "POST /cmp_1/send": [sent, refusal] };
    await expect(command("send cmp_1 --expected 12", refused)).rejects.toThrow(message);
  });

  it.each(["", " --json"])("counts, and sends again, where there is no fresh count%s", async (option) => {
    const refusal = new Refused("Estimate it first.", { code: "audience_not_counted" });
    const posts = option === "" ? [sent, refusal, sent] : [refusal, sent];
    const ran = await command(`send cmp_1 --expected 1200${option === "" ? " --no-watch" : option}`, {
      ...answers,
      "POST /cmp_1/send": posts,
    });
    expect(ran.ok).toBe(true);
    expect(ran.asked.slice(-3)).toEqual([SEND, { path: "POST /cmp_1/estimate", body: { exact: true } }, SEND]);
  });

  it("says when a scheduled campaign starts", async () => {
    const scheduled = { ...sent, status: "Scheduled", scheduledFor: "2026-11-23T08:00:00.000Z" };
    const ran = await command("send cmp_1", { ...answers, "POST /cmp_1/send": scheduled }, { typed: ["1200"] });
    expect(ran.printed[0]).toMatch(/^Starts +2026-11-23 08:00 UTC$/m);
    expect(ran.printed.at(-1)).toBe(
      "Spring sale will be sent at 2026-11-23 08:00 UTC. npm run campaign -- unschedule cmp_1 prevents it.",
    );
  });

  it("sends with the number up to which the audience may grow, and says above what it is held", async () => {
    const scheduled = { ...sent, status: "Scheduled", scheduledFor: "2026-11-23T08:00:00.000Z", maxRecipients: 1_500 };
    const all = { ...answers, "POST /cmp_1/send": scheduled };
    const ran = await command("send cmp_1 --max-recipients 1500", all, { typed: ["1200"] });
    expect(ran.asked.flatMap(({ body }) => body ?? [])).toEqual([
      { dryRun: true, maxRecipients: 1_500 },
      { exact: true },
      { expected: 1_200, maxRecipients: 1_500 },
    ]);
    expect(ran.printed.at(-1)).toContain("2026-11-23 08:00 UTC, or held if over 1,500 people match then. npm run");
  });

  it("prints all that is missing, before and at sending, and changes nothing in a dry run", async () => {
    const problems = [
      { code: "no_subject", path: "emailMessage.subject", message: "The mail has no subject." },
      { code: "no_sender", path: null, message: "No sender is configured." },
    ];
    const lines = "Problems:\n  emailMessage.subject: The mail has no subject.\n  No sender is configured.";
    const missing = await command("send cmp_1", { ...answers, "POST /cmp_1/send": { ...sent, problems } });
    expect(missing.ok).toBe(false);
    expect(missing.printed[0]).toContain(lines);
    expect(missing.printed[1]).toBe("Spring sale cannot be sent yet. Nothing was changed.");
    const refusal = new Refused("It cannot be sent.", { code: "campaign_not_ready", problems, warnings: [] });
    const late = { ...answers, "POST /cmp_1/send": [sent, refusal] };
    await expect(command("send cmp_1 --expected 1200", late)).rejects.toThrow(`Spring sale cannot be sent.\n${lines}`);
    const dry = await command("send cmp_1 --dry-run", answers);
    expect([dry.ok, dry.printed[1]]).toEqual([true, "Nothing was changed."]);
    expect(dry.asked.map(({ path }) => path)).toEqual(["POST /cmp_1/send", "POST /cmp_1/estimate"]);
    const parts = [{ ...estimate, exact: false, recipients: 900, next: "c1" }, estimate];
    const large = await command("send cmp_1 --dry-run", { ...answers, "POST /cmp_1/estimate": parts });
    expect(large.asked.map(({ body }) => body).slice(1)).toEqual([{ exact: true }, { exact: true, cursor: "c1" }]);
    expect(large.progress).toEqual(["Counting: about 900 recipients", ""]);
    expect(large.printed).toEqual(dry.printed);
    const json = await command("send cmp_1 --dry-run --json", { "POST /cmp_1/send": { ...sent, problems } });
    expect([json.ok, json.asked]).toEqual([false, [{ path: "POST /cmp_1/send", body: { dryRun: true } }]]);
  });
});
