import { describe, expect, it } from "vitest";
import { refusalOf } from "../../../../../src/email/delivery/senders/smtp/classify.ts";
import { classify, codesIn } from "../../../../../src/email/mail/bounces/classify.ts";
import { threadTime } from "../../../../thread-time.ts";

const GMAIL_RATE =
  "550-5.2.1 The user you are trying to contact is receiving mail at a rate that prevents additional messages from being delivered.";

const cases = [
  ["550 5.1.1 <dmarc@example.net>: Recipient address rejected: User unknown in virtual mailbox table", "hard"],
  ["550 5.1.1 <spam@example.net>: Recipient address rejected: User unknown", "hard"],
  ["550 5.1.1 spam@example.net: User unknown", "hard"],
  ['550 5.1.1 <"no spam"@example.net>: User unknown', "hard"],
  ["550 5.1.1 <ada@reputation.example>: User unknown", "hard"],
  ["550 5.1.1 <x@blocked-by.example>: unknown user", "hard"],
  ["550 5.1.1 <full-mailbox.quota-exceeded@example.net>: unknown user", "hard"],
  [
    "550 5.1.2 Host or domain name not found. Name service error for name=dmarc.example type=MX: Host not found",
    "hard",
  ],
  ["550 No such user here: <5.7.1@example.net>", "hard"],
  ["550 5.1.1 Client host [192.0.2.1] blocked using Spamhaus", "policy"],
  ["550 5.1.1 <spam@example.net>: Client host [192.0.2.1] blocked using zen.spamhaus.org", "policy"],
  [GMAIL_RATE, "soft"],
  ["550 5.2.1 The user you are trying to contact is receiving mail too quickly.", "soft"],
  ["550 5.2.1 Mailbox temporarily disabled", "soft"],
  ["550 5.2.1 The email account that you tried to reach is inactive", "hard"],
  ["552 5.2.2 The mailbox is over quota", "soft"],
  ["552 1 Requested mail action aborted, mailbox not found", "hard"],
  ["552 Requested mail action aborted: exceeded storage allocation", "soft"],
  ["552 Message size exceeds the maximum of the recipient, which is not valid", "content"],
  ["552 5.3.4 Message size exceeds fixed limit", "content"],
  ["550 5.7.1 Message refused by policy", "policy"],
  ["553 Bad destination mailbox address", "hard"],
  ["551 User not local; please try another path", "hard"],
] as const;

const ABOUT = { hard: "recipient", soft: "mailbox", content: "content", policy: "policy" } as const;

describe("the words of a server", () => {
  it.each(cases)("mean the same in a bounce and at the mail provider: %s", (said, kind) => {
    expect(classify(codesIn(said), said)).toBe(kind);
    const [, code = "", enhanced, text = ""] = /^(\d{3})[ -](?:(\d\.\d{1,3}\.\d{1,3}) )?(.*)$/.exec(said) ?? [];
    const reply = { code: Number(code), ...(enhanced ? { enhanced } : {}), text };
    for (const step of ["RCPT", "end"] as const)
      expect(refusalOf(step, reply as Parameters<typeof refusalOf>[1])).toMatchObject({ about: ABOUT[kind] });
  });

  it("are read in bounded time", () => {
    const ms = threadTime(() => {
      for (const word of ["a", "a.", "@", "a@", '"', "name=a.", "host "])
        classify({}, word.repeat(100_000 / word.length));
    });
    expect(ms).toBeLessThan(5_000);
  });
});
