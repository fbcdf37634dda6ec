import { describe, expect, it } from "vitest";
import { changesText, originOf, valueText } from "../../../src/dashboard/app/story/changes.ts";
import { nameOfMail, storyOf } from "../../../src/dashboard/app/story/chapters.ts";
import { answerOf, textOf, verdictOfStory } from "../../../src/dashboard/app/story/story-text.ts";
import type { StoryDelivery, StoryMail, StoryWebhook } from "../../../src/dashboard/app/story/story-types.ts";
import { pageOf, subjectOf } from "../../../src/dashboard/app/story/subject.ts";

const mail = (id: string, state: string, more: Partial<StoryMail> = {}): StoryMail => ({
  id,
  class: "transactional",
  to: "ada@example.com",
  state,
  meaning: `It is ${state}.`,
  template: { id: "tpl_1", name: "Receipt" },
  campaign: null,
  workflow: null,
  subject: null,
  openedAt: null,
  clickedAt: null,
  acceptedAt: "2026-01-02T10:00:01Z",
  ...more,
});
const delivery = (id: string, state: string, more: Partial<StoryDelivery> = {}): StoryDelivery => ({
  id,
  rule: "receipt",
  action: "transactional",
  state,
  why: `${state}: the reason.`,
  ...more,
});
const webhook = (id: string, deliveries: StoryDelivery[], more: Partial<StoryWebhook> = {}): StoryWebhook => ({
  id,
  source: "stripe",
  type: "invoice.paid",
  acceptedAt: "2026-01-02T10:00:00Z",
  why: `It made ${deliveries.length} deliveries.`,
  outcomes: [],
  deliveries,
  ...more,
});

describe("the story of a person", () => {
  it("joins a delivery and its mail by the id that the email service returned, and does not tell the mail twice", () => {
    const story = storyOf({
      webhooks: [webhook("wh_1", [delivery("wh_1.0", "done", { result: "snd_1" })])],
      mails: [mail("snd_1", "delivered")],
    });
    expect(story).toMatchObject([
      {
        kind: "webhook",
        id: "wh_1",
        deliveries: [{ mail: { id: "snd_1" } }],
        verdict: { code: "arrived", tone: "good" },
      },
    ]);
  });

  it("keeps a mail apart whose id no delivery has, even with the same template, address and time", () => {
    const story = storyOf({
      webhooks: [webhook("wh_1", [delivery("wh_1.0", "done", { result: "snd_other" })])],
      mails: [mail("snd_1", "bounced")],
    });
    expect(story.map(({ kind, id }) => [kind, id])).toEqual([
      ["mail", "snd_1"],
      ["webhook", "wh_1"],
    ]);
    expect(story[1]).toMatchObject({ verdict: { code: "done" } });
  });

  it.each([
    [["done", "waiting"], "delivered", "waiting", "wait"],
    [["done", "failed"], "delivered", "attention", "bad"],
    [["done"], "bounced", "not_sent", "bad"],
    [["done"], "not_sent", "not_sent", "bad"],
    [["done"], "failed", "not_sent", "bad"],
    [["done"], "complained", "arrived", "bad"],
    [["done"], "unknown", "unknown", "bad"],
    [["done"], "sent", "left", "good"],
    [["done"], "queued", "waiting", "wait"],
    [["undecided"], undefined, "attention", "bad"],
    [["skipped"], undefined, "none", "quiet"],
    [["replaced", "done"], undefined, "done", "good"],
  ] as const)("deliveries %j with a mail %s have the verdict %s", (states, sent, code, tone) => {
    const deliveries = states.map((state, n) =>
      delivery(`wh_1.${n}`, state, n === 0 && sent ? { result: "snd_1" } : {}),
    );
    const [chapter] = storyOf({ webhooks: [webhook("wh_1", deliveries)], mails: sent ? [mail("snd_1", sent)] : [] });
    expect(chapter?.verdict).toMatchObject({ code, tone });
  });

  it("has the newest chapter first, and the moments of a contact where they belong", () => {
    const story = storyOf({
      webhooks: [webhook("wh_1", [delivery("wh_1.0", "done", { action: "event", result: "evt_1" })])],
      mails: [mail("snd_1", "sent")],
      moments: [
        { at: "2026-01-02T10:00:02Z", kind: "event", text: "It sent trialStarted.", why: null, ids: ["evt_1"] },
        { at: "2026-01-02T11:00:00Z", kind: "opened", text: "It was opened.", why: null, ids: ["snd_1"] },
        { at: "2026-01-03T00:00:00Z", kind: "list", text: "It joined", why: "News.", ids: ["lst_1"] },
      ],
    });
    expect(story.map(({ kind, title }) => [kind, title])).toEqual([
      ["moment", "It joined News."],
      ["mail", 'Mail "Receipt"'],
      ["webhook", "invoice.paid from stripe"],
    ]);
    expect(story[1]).toMatchObject({ moments: [{ kind: "opened" }] });
    expect(story[2]).toMatchObject({ deliveries: [{ moments: [{ kind: "event" }] }] });
  });
});

describe("the verdict of a story", () => {
  it("is that of the newest chapter about mail, also where the mail was never made", () => {
    const story = storyOf({
      webhooks: [
        webhook("wh_1", [delivery("wh_1.0", "failed", { why: "failed: no such template." })]),
        webhook("wh_2", [delivery("wh_2.0", "done", { action: "contact" })], { acceptedAt: "2026-01-03T00:00:00Z" }),
      ],
      mails: [mail("snd_0", "delivered", { acceptedAt: "2026-01-01T00:00:00Z" })],
    });
    expect(verdictOfStory(story, true)).toEqual({
      code: "attention",
      tone: "bad",
      text: "invoice.paid from stripe: failed: no such template.",
    });
  });

  it("names an older mail that failed, also where the newest one was sent", () => {
    const story = storyOf({
      webhooks: [webhook("wh_1", [delivery("wh_1.0", "failed", { why: "failed: no such template." })])],
      mails: [mail("snd_0", "delivered", { acceptedAt: "2026-01-05T00:00:00Z" })],
    });
    const { code, text } = verdictOfStory(story, true);
    expect(code).toBe("arrived");
    expect(text).toMatch(/ An older one failed: invoice\.paid from stripe\.$/);
  });

  it("says nothing of mails that were not looked for", () => {
    expect(verdictOfStory([], true).text).toBe("No mail was sent to this person.");
    expect(verdictOfStory([], false).text).toBe("No mail is known of this person yet.");
    const story = storyOf({ webhooks: [webhook("wh_1", [], { why: "No rule is on it." })], mails: [] });
    expect(verdictOfStory(story, true).text).toContain("invoice.paid from stripe: No rule is on it.");
  });

  it("is copied with the story, oldest first, with every reason", () => {
    const story = storyOf({
      webhooks: [
        webhook("wh_1", [delivery("wh_1.0", "done", { result: "snd_1" })], {
          outcomes: [
            { rule: "vip", outcome: "skipped", why: 'rule "vip" did not match: its condition was false: x > 1' },
          ],
        }),
      ],
      mails: [mail("snd_1", "bounced"), mail("snd_2", "sent", { acceptedAt: "2026-01-05T00:00:00Z" })],
    });
    const lines = textOf("ada@example.com", story, verdictOfStory(story, true)).split("\n");
    expect(lines).toEqual([
      "ada@example.com",
      'Mail "Receipt": It is sent.',
      "",
      "2026-01-02 10:00 UTC  invoice.paid from stripe (wh_1): It is bounced.",
      '  rule "vip" did not match: its condition was false: x > 1',
      '  transactional of rule "receipt": done: the reason.',
      "  snd_1 to ada@example.com: It is bounced.",
      '2026-01-05 00:00 UTC  Mail "Receipt" (snd_2): It is sent.',
    ]);
  });
});

describe("what webhooks wrote to a contact", () => {
  const wrote = (source: string, properties: Record<string, unknown>, state = "done") =>
    webhook(`wh_${source}`, [delivery("0", state, { action: "contact", properties })], { source });
  const webhooks = [
    wrote("polar", { plan: "Team" }, "failed"),
    wrote("stripe", { plan: "Pro", seats: 12 }),
    wrote("clerk", { plan: "Free", name: "Ada" }),
  ];

  it("comes from the newest update that was done", () => {
    expect(originOf(webhooks, "plan")).toMatchObject({ source: "stripe", value: "Pro" });
    expect(originOf(webhooks, "name")).toMatchObject({ source: "clerk" });
    expect(originOf(webhooks, "country")).toBeUndefined();
  });

  it("is told with the value before, where an earlier webhook wrote one", () => {
    const update = (properties: Record<string, unknown>) => delivery("0", "done", { action: "contact", properties });
    const earlier = webhooks.slice(2);
    expect(changesText(update({ plan: "Pro", seats: 12, name: "Ada" }), earlier)).toBe("plan Free → Pro, seats 12");
    expect(changesText(update({ plan: null }), earlier)).toBe("plan Free → –");
    expect(changesText(update({ name: "Ada" }), earlier)).toBe("nothing new");
    expect(changesText(update({}), earlier)).toBeUndefined();
    const paidAt = "2026-11-30T14:21:40.000Z";
    const secondsBefore = wrote("stripe", { paidAt: "2026-11-30T14:21:05.000Z" });
    expect(changesText(update({ paidAt }), [secondsBefore])).toBe(`paidAt ${valueText(paidAt)}`);
    expect(changesText(update({ a: 1, b: 2, c: 3, d: 4, e: 5, f: 6 }), [])).toBe("a 1, b 2, c 3, d 4, 2 more");
  });
});

describe("the answer of a story", () => {
  it.each([
    ["delivered", "Ada has the last mail."],
    ["complained", "Ada has the last mail."],
    ["sent", "The last mail to Ada was sent."],
    ["queued", "The last mail to Ada waits."],
    ["unknown", "Nobody knows whether Ada has the last mail."],
    ["bounced", "Ada did not get the last mail."],
  ])("to a mail that is %s: %s", (state, answer) => {
    const story = storyOf({ webhooks: [], mails: [mail("snd_1", state)] });
    expect(answerOf("Ada", verdictOfStory(story, true))).toBe(answer);
  });

  it("is none without a mail", () => {
    expect(answerOf("Ada", verdictOfStory([], true))).toBeUndefined();
  });

  it("names a mail by its subject, with the names of its values", () => {
    expect(nameOfMail(mail("snd_1", "sent", { subject: "Your {data.plan} receipt" }))).toBe("Your {plan} receipt");
  });
});

describe("an identifier", () => {
  it.each([
    ["ada@example.com", { email: "ada@example.com" }],
    ["cus_NffrFeUfNV2Hib", { userId: "cus_NffrFeUfNV2Hib", ref: "cus_NffrFeUfNV2Hib" }],
    ["user_2abc", { userId: "user_2abc", ref: "user_2abc" }],
    ["42", { userId: "42", ref: "42" }],
    [" ada@example.com ", { email: "ada@example.com" }],
    ["ada@", { userId: "ada@", ref: "ada@" }],
    ["ada lovelace@example.com", { userId: "ada lovelace@example.com", ref: "ada lovelace@example.com" }],
    [" ", undefined],
    ["a".repeat(501), undefined],
  ])("names a person: %s", (id, subject) => {
    expect(subjectOf(id)).toEqual(subject);
  });

  it.each([
    ["wh_hocl2x0n80", { to: "/webhooks/$id", id: "wh_hocl2x0n80" }],
    ["wh_hocl2x0n80.2", { to: "/webhooks/$id", id: "wh_hocl2x0n80" }],
    ["snd_1a_b", { to: "/sent/$id", id: "snd_1a_b" }],
    ["ada@example.com", { to: "/people/$id", id: "ada@example.com" }],
    ["cus_9", { to: "/people/$id", id: "cus_9" }],
    ["5782533e-673d-4b6b-a636-88f7d7d357ba", { to: "/people/$id", id: "5782533e-673d-4b6b-a636-88f7d7d357ba" }],
    ["706405506930370084", { to: "/people/$id", id: "706405506930370084" }],
    ["ada@", undefined],
    ["user_2abc", undefined],
    ["42", undefined],
  ])("that is whole leads to its page: %s", (text, page) => {
    expect(pageOf(text)).toEqual(page);
  });
});
