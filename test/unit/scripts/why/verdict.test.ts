import { describe, expect, test } from "vitest";
import type { Setup } from "../../../../scripts/why/cures.ts";
import type { Delivery, Found, Mail, Webhook } from "../../../../scripts/why/found.ts";
import { print } from "../../../../scripts/why/print.ts";
import { mailCure, printMail } from "../../../../scripts/why/print-mails.ts";
import { verdictOf } from "../../../../scripts/why/verdict.ts";

const setup: Setup = { options: "", isDeployed: false, sources: {} };
const delivery = (more: Partial<Delivery> = {}): Delivery => ({
  id: "wh_1.0",
  rule: "receipt",
  action: "transactional",
  template: "receipt",
  state: "done",
  why: "done.",
  contact: { email: "ada@example.com" },
  attempts: [],
  ...more,
});
const webhook = (deliveries: Delivery[], more: Partial<Webhook> = {}): Webhook => ({
  id: "wh_1",
  acceptedAt: "2026-01-31T12:00:00.000Z",
  source: "stripe",
  type: "paid",
  eventId: "evt_1",
  test: false,
  why: "It made 1 delivery.",
  outcomes: [],
  deliveries,
  ...more,
});
const found = (more: Partial<Found> = {}): Found => ({
  person: "ada@example.com",
  kind: "person",
  webhooks: [webhook([delivery()])],
  more: false,
  searchedTo: null,
  suppression: { known: true, isSuppressed: false, contact: { email: "ada@example.com" } },
  waiting: [],
  refused: [],
  status: { dispatch: "running", paused: { all: null, sources: {} } },
  ...more,
});
const textsOf = (one: Found) => verdictOf(one, setup).map(({ text }) => text);

test("an answer about a person says when and where the person agreed to get mail", () => {
  const agreed = (consent: Exclude<Found["consent"], undefined>) =>
    print(found({ consent }), setup).split("\n\n")[1]?.split("\n");
  const latest = '→ Latest, stripe paid: the mail "receipt": done.';
  expect(agreed(null)).toEqual([latest]);
  expect(agreed({ at: "2024-01-02T03:04:05.000Z", source: "footer form" })).toEqual([
    latest,
    "→ Agreed to get mail at 2024-01-02 03:04:05 UTC (source: footer form), as the import said.",
  ]);
  expect(agreed({ at: null, source: "fair" })?.[1]).toBe("→ Agreed to get mail (source: fair), as the import said.");
});

describe("the verdict", () => {
  test("of a sent mail is its sentence alone", () => {
    expect(verdictOf(found(), setup)).toEqual([{ text: 'Latest, stripe paid: the mail "receipt": done.' }]);
  });

  test("says that suppression is unknown if a mail was sent to an address without a contact", () => {
    const unknown = { known: false, isSuppressed: false, contact: null };
    expect(textsOf(found({ suppression: unknown }))[1]).toMatch(/^Unknown if email to this address is suppressed/);
    const failed = [webhook([delivery({ state: "failed" })])];
    expect(textsOf(found({ suppression: unknown, webhooks: failed }))).toHaveLength(1);
  });

  test("without a webhook names what the door refused, also where no source has that name", () => {
    const refused = [
      { source: "(unknown)", code: "unknown_source", count: 2 },
      { source: "stripe", code: "missing_signature", count: 1 },
    ];
    expect(textsOf(found({ webhooks: [], refused, searchedTo: "2026-01-24T12:00:00.000Z" })).slice(0, 4)).toEqual([
      "No webhook names ada@example.com.",
      "Check at the provider if it sent a webhook, and to which URL.",
      "In this time the door refused 2 webhooks to a source that does not exist (unknown_source). One of them may have been for this person.",
      "In this time the door refused 1 webhook to stripe (missing_signature). One of them may have been for this person.",
    ]);
  });

  test("names a suppressed address by its contact, with the cure", () => {
    const suppression = { known: true, isSuppressed: true, contact: { email: "ada@example.com" } };
    const [first] = verdictOf(found({ person: "wh_1", kind: "webhook", suppression }), setup);
    expect(first?.text).toMatch(/^Suppressed: ada@example\.com is on the suppression list/);
    expect(first?.cure).toBe("If the address is good: npm run act -- unsuppress ada@example.com");
  });

  test("has the cure of the most important delivery, not of one that only names the person", () => {
    const failed = delivery({ state: "failed", message: "no", attempts: [{ status: 400 }], why: "refused." });
    const [first] = verdictOf(found({ webhooks: [webhook([failed])] }), setup);
    expect(first?.cure).toContain("npm run act -- retry wh_1.0");
    const [named] = verdictOf(found({ webhooks: [webhook([failed], { onlyNamed: true })] }), setup);
    expect(named).toEqual({
      text: "Latest, stripe paid: its body names this person, but its deliveries (1) are for other people.",
    });
  });

  test("is printed with each cure under its trouble", () => {
    const failed = delivery({ state: "skipped", message: "too old: x", why: "skipped: too old: x" });
    expect(print(found({ webhooks: [webhook([failed])] }), setup)).toBe(
      `ada@example.com: 1 webhook

→ Latest, stripe paid: the mail "receipt": skipped: too old: x
  To do: To send it all the same: npm run act -- send-again wh_1.0 --yes

2026-01-31 12:00:00  stripe  paid  wh_1
  .0 the mail "receipt" of "receipt": skipped: too old: x
     To do: To send it all the same: npm run act -- send-again wh_1.0 --yes`,
    );
  });
});

const mail = (more: Partial<Mail> = {}): Mail => ({
  id: "snd_1_a",
  to: "ada@example.com",
  state: "sent",
  meaning: "Accepted by the mail provider. No bounce so far.",
  preview: false,
  template: { id: "tpl_receipt", name: "Receipt" },
  campaign: null,
  workflow: null,
  acceptedAt: "2026-01-31T12:00:01.000Z",
  nextAttemptAt: null,
  messageId: "<snd_1_a@mail.acme.com>",
  suppressed: null,
  canRetry: false,
  whyNot: "It was sent already.",
  story: [],
  ...more,
});
const sent = webhook([delivery({ result: "snd_1_a", why: "done: the email service accepted it (snd_1_a)." })]);
const suppressed = {
  since: "2026-01-31T12:00:05.000Z",
  reason: "bounce",
  meaning: "A mail to this address bounced.",
};

const fates: [string, Mail, string][] = [
  ["delivered", mail({ state: "delivered", meaning: "The mail server of the recipient took it." }), ""],
  [
    "waiting for its next attempt",
    mail({
      state: "queued",
      meaning: "It waits for its next attempt: busy.",
      nextAttemptAt: "2026-01-31T12:05:00.000Z",
    }),
    "",
  ],
  [
    "bounced, and its address is suppressed",
    mail({ state: "bounced", meaning: "It bounced: the mailbox does not exist (550 5.1.1).", suppressed }),
    "If the address is good: npm run act -- unsuppress ada@example.com",
  ],
  [
    "unknown",
    mail({ state: "unknown", meaning: "It may have been sent: the connection broke.", canRetry: true }),
    "Look in the log of the mail provider for <snd_1_a@mail.acme.com>. If the mail did not leave: npm run act -- retry snd_1_a",
  ],
  [
    "unknown for more than a day",
    mail({ state: "unknown", meaning: "It may have been sent: the connection broke." }),
    "Look in the log of the mail provider for <snd_1_a@mail.acme.com>. It can no longer be sent again: cause a new mail.",
  ],
  [
    "failed",
    mail({ state: "failed", meaning: "It failed: spam." }),
    "Fix the cause, then cause a new mail: the values of this one are erased.",
  ],
];

describe("a mail that the email service accepted", () => {
  test.each(fates)("%s", (_, one, cure) => {
    expect(mailCure(one, setup) ?? "").toBe(cure);
    const [, second] = verdictOf(found({ webhooks: [sent], mails: [one] }), setup);
    expect(second?.text).toContain(`The latest mail, snd_1_a: ${one.meaning}`);
    expect(second?.cure ?? "").toBe(cure);
  });

  test("is a line of its delivery, with the next attempt and the suppression", () => {
    const [, waiting, bounced] = fates.map(([, one]) => one);
    expect(print(found({ webhooks: [sent], mails: [waiting as Mail] }), setup)).toBe(
      `ada@example.com: 1 webhook

→ Latest, stripe paid: the mail "receipt": done: the email service accepted it (snd_1_a).
→ The latest mail, snd_1_a: It waits for its next attempt: busy. The next attempt is at 2026-01-31 12:05:00 UTC.

2026-01-31 12:00:00  stripe  paid  wh_1
  .0 the mail "receipt" of "receipt": done: the email service accepted it (snd_1_a).
     snd_1_a: It waits for its next attempt: busy. The next attempt is at 2026-01-31 12:05:00 UTC.`,
    );
    expect(print(found({ webhooks: [sent], mails: [bounced as Mail] }), setup)).toContain(
      "snd_1_a: It bounced: the mailbox does not exist (550 5.1.1). The address is suppressed since 2026-01-31 12:00:05 UTC: a mail to this address bounced.",
    );
  });

  test("is a block of its own where no webhook caused it, and has every step where it is asked for", () => {
    const story = [
      { at: "2026-01-31T12:00:01.000Z", what: "accepted", text: 'Accepted as transactional mail: "Receipt".' },
      { at: "2026-01-31T12:00:02.000Z", what: "sent", text: "Attempt 1 by smtp: accepted: 250 2.0.0 ok" },
    ];
    const one = mail({ story, preview: true });
    const block = `2026-01-31 12:00:01  mail  "Receipt" to ada@example.com  (preview)
  snd_1_a: Accepted by the mail provider. No bounce so far.`;
    expect(print(found({ mails: [one] }), setup)).toContain(`\n\n${block}`);
    expect(printMail(one, setup, true)).toBe(`${block}
  2026-01-31 12:00:01  Accepted as transactional mail: "Receipt".
  2026-01-31 12:00:02  Attempt 1 by smtp: accepted: 250 2.0.0 ok`);
  });

  test("is named for the campaign or the workflow that sent it", () => {
    const campaign = { id: "cmp_1", name: "Spring sale" };
    expect(printMail(mail({ template: null, campaign }), setup, false)).toContain(
      'mail  the campaign "Spring sale" to ada@',
    );
    const workflow = { id: "wfl_1", name: "Trial" };
    expect(printMail(mail({ template: null, workflow }), setup, false)).toContain('mail  the workflow "Trial" to ada@');
    expect(printMail(mail({ template: null }), setup, false)).toContain("mail  a message to ada@");
  });

  test("is unknown where the email service gives no answer", () => {
    expect(textsOf(found({ mails: "The email service does not answer at x." }))[1]).toBe(
      "The state of mails that the email service accepted is unknown: The email service does not answer at x.",
    );
    expect(textsOf(found({ webhooks: [], mails: [mail()] }))[0]).toMatch(/^The latest mail, snd_1_a/);
  });
});
