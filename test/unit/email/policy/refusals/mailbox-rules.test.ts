import { describe, expect, it } from "vitest";
import { commonReason } from "../../../../../src/email/policy/campaigns/reason.ts";
import { PROVIDERS } from "../../../../../src/email/policy/refusals/mailbox-rule-list.ts";
import { mailboxRuleIn, nameOfRule, ruleInWords } from "../../../../../src/email/policy/refusals/mailbox-rules.ts";
import { threadTime } from "../../../../thread-time.ts";

describe("the rule of a mailbox provider", () => {
  it.each([
    [
      "550-5.7.26 Your email has been blocked because the sender is unauthenticated. Gmail requires all senders to authenticate. gsmtp",
      "Gmail 5.7.26",
    ],
    [
      "421-4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your DKIM domain. gsmtp",
      "Gmail 4.7.28",
    ],
    [
      "550-5.7.1 Unauthenticated email from acme.example is not accepted due to domain's DMARC policy. gsmtp",
      "Gmail DMARC policy",
    ],
    [
      "421 4.7.0 [TSS04] Messages from 192.0.2.7 temporarily deferred due to unexpected volume or user complaints",
      "Yahoo TSS04",
    ],
    [
      "554 5.7.9 Message not accepted for policy reasons. See https://postmaster.yahooinc.com/error-codes",
      "Yahoo 5.7.9",
    ],
    ["554 Message not allowed - [PH01] Email not accepted for policy reasons", "Yahoo PH01"],
    [
      "550 5.7.515 Access denied, sending domain ACME.EXAMPLE does not meet the required authentication level.",
      "Microsoft 5.7.515",
    ],
    [
      "550 5.7.1 Unfortunately, messages from [192.0.2.7] weren't sent. part of their network is on our block list (S3150).",
      "Microsoft S3150",
    ],
    ["550 5.7.606 Access denied, banned sending IP [192.0.2.7] (AS16012609)", "Microsoft 5.7.606"],
    [
      "451 4.7.650 The mail server [192.0.2.7] has been temporarily rate limited due to IP reputation. (S775)",
      "Microsoft 4.7.650",
    ],
    [
      "554 5.7.1 [CS01] Message rejected due to local policy. Please visit https://support.apple.com/en-us/HT204137",
      "Apple CS01",
    ],
    [
      "554 IP=192.0.2.7 - A problem occurred. (Ask your postmaster for help or to contact tosa@rx.t-online.de to clarify.) (BL)",
      "T-Online (BL)",
    ],
    ["550 5.2.0 Mail rejete. Mail rejected. ofr_506 [506]", "Orange 506"],
    ["554 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using zen.spamhaus.org", "Spamhaus blocklist"],
    ["550 5.1.1 192.0.2.7 has sent to too many recipients this hour; IB607a", "GoDaddy IB607"],
  ])("is named by its words: %s", (words, name) => {
    const rule = mailboxRuleIn(`The mail provider answered the message with ${words}`);
    expect(rule && nameOfRule(rule)).toBe(name);
    expect(rule && ruleInWords(rule)).toMatch(/ refused it by its rule .+: .+\. [A-Z]/);
    expect(commonReason(words)).toBe(name);
    expect(rule?.url).toMatch(/^https:\/\//);
  });

  it.each([
    "550 5.1.1 The email account that you tried to reach does not exist. gsmtp",
    "552 5.2.2 The email account that you tried to reach is over quota. gsmtp",
    "550 5.7.26 Multiple authentication checks failed",
    "550 5.1.1 <ada@yahoo.com>: user unknown",
    "550 5.7.9 <ada@yahoo.com>: refused",
    "unsubscribed",
    "554 no",
  ])("is not found in other words: %s", (words) => {
    expect(mailboxRuleIn(words)).toBeUndefined();
  });

  it("is found again in its name", () => {
    const ruleNames = PROVIDERS.flatMap(({ provider, rules }) => rules.map(([rule]) => `${provider} ${rule}`));
    expect(ruleNames.length).toBeGreaterThan(60);
    for (const name of ruleNames) {
      const rule = mailboxRuleIn(name);
      expect(rule && nameOfRule(rule)).toBe(name);
      expect(commonReason(name)).toBe(name);
    }
  });

  it("is looked for in linear time", () => {
    const ms = threadTime(() => {
      for (const word of ["a", "a@", "IP=", "google ", "potential ", "ofr_"])
        mailboxRuleIn(word.repeat(100_000 / word.length));
    });
    expect(ms).toBeLessThan(2_000);
  });
});
