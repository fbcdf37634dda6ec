import { beforeEach, describe, expect, it, vi } from "vitest";
import { Inbox } from "../../../../../src/email/objects/inbox.ts";
import type { Feedback } from "../../../../../src/email/types/feedback.ts";
import type { Handover } from "../../../../../src/email/types/mail-handover.ts";
import { applyFeedback } from "../../../../../src/email/workspace/sending/results/feedback.ts";
import { advance, createTeam, handedOver, isolated, runAlarm, START, type Team } from "../../bench.ts";

isolated();

const HOUR = 3_600_000;

const mail = { transactionalId: "tpl_welcome", email: "ada@example.com", dataVariables: { name: "Very Private" } };

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
  vi.spyOn(console, "log").mockImplementation(() => {});
  vi.spyOn(Math, "random").mockReturnValue(0.5);
});

const sendWith = async (...handovers: Handover[]): Promise<string> => {
  const spy = vi.spyOn(Inbox.prototype, "capture");
  for (const handover of handovers) spy.mockResolvedValueOnce(handover);
  const { id } = (await team.post("/transactional", mail)).json;
  await handedOver();
  return id;
};
const show = async (id: string) => {
  const { status, json, text } = await team.admin("GET", `/sends/${id}`);
  expect(status, text).toBe(200);
  expect(text).not.toContain("Private");
  return json;
};
const retry = (id: string) => team.admin("POST", `/sends/${id}/retry`);
const busy = {
  outcome: "deferred",
  message: "The mail provider answered RCPT with 451 4.3.2 busy",
  code: "4.3.2",
} as const;

/**
 * A mail that the mail provider may have. The inbox keeps one mail of each id, so that its results are never unknown.
 */
const sendUnknown = async (): Promise<string> => {
  const id = await sendWith({ outcome: "unknown", message: "The connection broke" });
  await team.run("UPDATE sends SET state = 'unknown', due = created_at + 86400000 WHERE id = ?", id);
  return id;
};

describe("the story of a send", () => {
  it("has the acceptance and each attempt, with the words of the mail provider and its code in words", async () => {
    const id = await sendWith(busy);
    const waiting = await show(id);
    expect(waiting).toMatchObject({
      id,
      class: "transactional",
      to: mail.email,
      state: "queued",
      attempts: 1,
      preview: false,
      operation: "transactional.send",
      template: { id: "tpl_welcome", name: "Welcome" },
      messageId: `<${id}@mailspan.localhost>`,
      emailMessageId: expect.stringMatching(/^msg_/),
      contentRevisionId: expect.stringMatching(/^rev_\d+$/),
      meaning:
        "It waits for its next attempt: the mail server takes no mail now (The mail provider answered RCPT with 451 4.3.2 busy).",
      suppressed: null,
      canRetry: false,
      whyNot: "It waits, and is sent by itself.",
      settledAt: null,
    });
    expect(Date.parse(waiting.nextAttemptAt)).toBeGreaterThan(START);
    advance(2_000);
    await runAlarm(team.stub);
    const sent = await show(id);
    expect(sent).toMatchObject({ state: "sent", attempts: 2, sender: "inbox", nextAttemptAt: null });
    expect(sent.meaning).toBe("In the local inbox only. It was not sent outside this machine.");
    expect(sent.story.map(({ text }: { text: string }) => text)).toEqual([
      'Accepted as transactional mail: "Welcome".',
      "Attempt 1 by inbox: refused for now: the mail server takes no mail now (The mail provider answered RCPT with 451 4.3.2 busy).",
      expect.stringMatching(/^Attempt 2 by inbox: accepted/),
    ]);
    expect(sent.story[1].detail).toMatchObject({ attempt: 1, sender: "inbox", outcome: "deferred", code: "4.3.2" });
    expect(sent.story.map(({ at }: { at: string }) => at)).toEqual(
      sent.story.map(({ at }: { at: string }) => at).toSorted(),
    );
  });

  it("says that an address is suppressed, since when and why", async () => {
    const message = "The mail provider answered RCPT with 550 5.1.1 no such user";
    const id = await sendWith({ outcome: "refused", about: "recipient", message, code: "5.1.1", replyCode: 550 });
    const bounced = await show(id);
    expect(bounced).toMatchObject({
      state: "bounced",
      meaning: `It bounced: the mailbox does not exist (${message}).`,
      suppressed: { since: expect.any(String), reason: "bounce", meaning: "A mail to this address bounced." },
      whyNot: "It bounced, because of the address.",
    });
    const later = (await team.post("/transactional", mail)).json.id;
    expect(await show(later)).toMatchObject({
      state: "not_sent",
      meaning: "It was not sent, because the address was suppressed.",
      attempts: 0,
      story: [{ what: "accepted" }, { what: "not_sent" }],
    });
  });

  it("says that a mail was a preview", async () => {
    const { draftEmailMessageId } = (await team.post("/transactional-emails/tpl_welcome/draft", {})).json;
    const preview = { emails: [mail.email], dataVariables: { name: "Very Private" } };
    const { sends } = (await team.post(`/email-messages/${draftEmailMessageId}/preview`, preview)).json;
    expect(await show(sends[0].id)).toMatchObject({
      preview: true,
      operation: "emailMessages.preview",
      emailMessageId: draftEmailMessageId,
      story: [{ text: 'Accepted as a preview of "Welcome".' }],
    });
    await handedOver();
  });

  it("says that a mail bounced after the mail provider had taken it", async () => {
    const id = await sendWith({ outcome: "accepted", reply: "250 2.0.0 queued" });
    advance(60_000);
    const feedback = { kind: "hard", code: "5.1.1", message: "550 5.1.1 no such user" } as const;
    await team.inside((sql) => {
      const { n } = sql.exec<{ n: number }>("SELECT n FROM sends WHERE id = ?", id).one();
      applyFeedback({ sql, now: Date.now(), contentOf: () => undefined }, "mail", { n, feedback: [feedback] });
    });
    expect((await show(id)).story.map(({ text }: { text: string }) => text)).toEqual([
      'Accepted as transactional mail: "Welcome".',
      "Attempt 1 by inbox: accepted: 250 2.0.0 queued",
      "It bounced: the mailbox does not exist (550 5.1.1 no such user).",
    ]);
  });

  it("explains a refusal by the rule of the mailbox provider, with its cure", async () => {
    const words =
      "550 5.7.515 Access denied, sending domain ACME.EXAMPLE does not meet the required authentication level";
    const message = `The mail provider answered the message with ${words}`;
    const id = await sendWith({ outcome: "refused", about: "policy", message, replyCode: 550, code: "5.7.515" });
    const { state, meaning, rule, story } = await show(id);
    expect(state).toBe("failed");
    expect(rule).toMatchObject({ provider: "Microsoft", rule: "5.7.515", url: expect.stringMatching(/^https:/) });
    const told = `Microsoft refused it by its rule 5.7.515: ${rule.meaning}. ${rule.cure} (${message})`;
    expect(meaning).toBe(`It failed: ${told}.`);
    expect(story.map(({ text }: { text: string }) => text)).toContain(`Attempt 1 by inbox: refused: ${told}.`);
    expect((await show(await sendWith({ outcome: "accepted", reply: "250 ok" }))).rule).toBeNull();
  });

  it("has each line at its own time, also after a late bounce of a mail that was delivered before", async () => {
    const id = await sendWith({ outcome: "accepted", reply: "250 2.0.0 queued" });
    const tell = (feedback: Feedback) =>
      team.inside((sql) => {
        const { n } = sql.exec<{ n: number }>("SELECT n FROM sends WHERE id = ?", id).one();
        applyFeedback({ sql, now: Date.now(), contentOf: () => undefined }, "ses", { n, feedback: [feedback] });
      });
    const times = async () =>
      (await show(id)).story.map(({ what, at }: { what: string; at: string }) => [what, Date.parse(at) - START]);
    const { settledAt } = await show(id);
    const took = Date.parse(settledAt) - START;
    advance(HOUR);
    await tell({ kind: "delivered", message: "250 ok", at: START - HOUR });
    const before = [
      ["accepted", expect.any(Number)],
      ["sent", took],
      ["delivered", took],
    ];
    expect(await times()).toEqual(before);
    advance(HOUR);
    await tell({ kind: "soft", message: "452 full" });
    expect(await times()).toEqual([...before, ["soft_bounced", took + 2 * HOUR]]);
    advance(HOUR);
    await tell({ kind: "complaint", message: "abuse" });
    expect(await times()).toEqual([...before, ["soft_bounced", took + 2 * HOUR], ["complained", took + 3 * HOUR]]);
    expect(await show(id)).toMatchObject({ state: "complained", settledAt });
  });

  it("shows lines of kinds that it has no words for as they were recorded", async () => {
    const id = await sendWith();
    const line = "INSERT INTO send_events (send, at, kind, detail) SELECT n, ?, ?, ? FROM sends";
    await team.run(line, START + 60_000, "delivered", "{}");
    await team.run(line, START + 70_000, "link_checked", '{"message":"by a scanner"}');
    expect((await show(id)).story.slice(-2)).toMatchObject([
      { what: "delivered", text: "The mail server of the recipient took it." },
      { what: "link_checked", text: "link checked: by a scanner." },
    ]);
  });

  it("is 404 for an id that no send has, whatever its form", async () => {
    for (const id of ["snd_none", "snd_1_x", "nonsense", "'"]) {
      const { status, json } = await team.admin("GET", `/sends/${encodeURIComponent(id)}`);
      expect([status, json.code, json.path]).toEqual([404, "send_not_found", "sendId"]);
    }
  });
});

describe("a retry by a person", () => {
  it("sends a mail whose result is unknown once more, with the same Message-ID", async () => {
    const spy = vi.spyOn(Inbox.prototype, "capture");
    const id = await sendUnknown();
    expect(await show(id)).toMatchObject({
      state: "unknown",
      canRetry: true,
      whyNot: null,
      meaning: "Unknown: it may have been sent. Mailspan does not send it again by itself: The connection broke.",
    });
    advance(60_000);
    await runAlarm(team.stub);
    expect(spy).toHaveBeenCalledTimes(1);
    const { status, json } = await retry(id);
    expect([status, json.state]).toEqual([200, "queued"]);
    await runAlarm(team.stub);
    expect(spy).toHaveBeenCalledTimes(2);
    const [first, second] = spy.mock.calls.map(([taken]) => taken.messageId);
    expect(second).toBe(first);
    const sent = await show(id);
    expect(sent.state).toBe("sent");
    expect(sent.story.map(({ what }: { what: string }) => what)).toEqual(["accepted", "deferred", "retried", "sent"]);
  });

  it("is refused for a mail that is in another state, whose values are erased, or whose address is suppressed", async () => {
    const refused = async (id: string, message: RegExp) => {
      const before = await team.everything();
      const { status, json } = await retry(id);
      expect([status, json.code, json.path]).toEqual([409, "send_not_retryable", "sendId"]);
      expect(json.message).toMatch(message);
      expect(await team.everything()).toBe(before);
    };
    const sent = await sendWith();
    await refused(sent, /was sent already/);
    const failed = await sendWith({ outcome: "refused", about: "content", message: "spam" });
    await refused(failed, /values are erased.*Send a new mail/);
    const lost = await sendUnknown();
    await team.admin("POST", "/suppressions", { email: mail.email });
    await refused(lost, /address is suppressed. Remove the suppression first/);
    advance(25 * 3_600_000);
    await runAlarm(team.stub);
    await refused(lost, /values are erased/);
    expect((await retry("snd_none")).json.code).toBe("send_not_found");
  });
});
