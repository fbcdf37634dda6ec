import { describe, expect, it } from "vitest";
import { storyOf } from "../../../src/dashboard/app/story/chapters.ts";
import { textOf, verdictOfStory } from "../../../src/dashboard/app/story/story-text.ts";
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
        { at: "2026-01-02T10:00:02Z", kind: "event", text: "It sent trialStarted.", ids: ["evt_1"] },
        { at: "2026-01-02T11:00:00Z", kind: "opened", text: "It was opened.", ids: ["snd_1"] },
        { at: "2026-01-03T00:00:00Z", kind: "list", text: "It joined News.", ids: ["lst_1"] },
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
