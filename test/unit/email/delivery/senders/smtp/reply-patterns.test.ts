import { describe, expect, it } from "vitest";
import { refusalOf } from "../../../../../../src/email/delivery/senders/smtp/classify.ts";
import type { Step } from "../../../../../../src/email/delivery/senders/smtp/reply-patterns.ts";
import { createReplyReader, type Reply } from "../../../../../../src/email/delivery/senders/smtp/reply-reader.ts";

const replyOf = (text: string): Reply => {
  const reader = createReplyReader();
  reader.feed(Buffer.from(`${text}\r\n`));
  const reply = reader.next();
  if (!reply) throw new Error(`no reply: ${text}`);
  return reply;
};

const resultOf = (step: Step, text: string): string => {
  const handover = refusalOf(step, replyOf(text));
  if (handover.outcome === "refused") return handover.about === "recipient" ? "suppressed" : "failed";
  if (handover.throttled) return `${handover.throttled} throttled`;
  return handover.configuration ? "configuration" : "later";
};

it.each<[Step, string, boolean]>([
  ["RCPT", "450 4.2.0 <ada@example.com>: Recipient address rejected: Greylisted", true],
  ["RCPT", "451 Try again later", true],
  ["MAIL", "421 4.4.2 Try again", true],
  ["end", "451 4.7.1 Temporarily rejected", true],
  ["greeting", "421 4.3.2 Service not available", false],
  ["RCPT", "503 Bad sequence of commands", false],
  ["RCPT", "451 4.7.1 You have exceeded your hourly limit", false],
])("a mail that %s refuses with %s is retried in patience: %s", (step, text, patient) => {
  const handover = refusalOf(step, replyOf(text));
  expect("patient" in handover).toBe(patient);
});

const REPLIES: Readonly<Record<string, readonly (readonly [Step, string])[]>> = {
  "account throttled": [
    ["end", "454 Throttling failure: Maximum sending rate exceeded."],
    ["end", "454 Throttling failure: Daily message quota exceeded."],
    ["greeting", "421 Too many concurrent SMTP connections"],
    ["greeting", "421 4.7.0 mx.example Error: too many connections from 203.0.113.9"],
    ["greeting", "421 4.3.2 The maximum number of concurrent server connections has exceeded a limit, closing"],
    ["MAIL", "432 4.3.2 STOREDRV.ClientSubmit; sender thread limit exceeded"],
    ["end", "432 4.3.2 Concurrent connections limit exceeded. Visit https://aka.ms/concurrent_sending for details."],
    ["RCPT", "550 5.1.90 Your message can't be sent because you've reached your daily limit for message recipients"],
    ["end", "554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process message"],
    ["RCPT", "550 5.7.705 Service unavailable. Access denied, tenant has exceeded threshold"],
    ["RCPT", "550 5.4.5 Daily user sending quota exceeded. gsmtp"],
    ["end", "550 5.4.5 Daily SMTP relay sending limit exceeded for customer. gsmtp"],
    ["RCPT", "450 4.2.1 Peak SMTP relay limit exceeded for this customer. This is a temporary error. gsmtp"],
    ["AUTH", "454 4.7.0 Too many login attempts, please try again later. gsmtp"],
    ["RCPT", "450 4.7.1 Error: too much mail from 203.0.113.9"],
    ["RCPT", "450 4.7.1 Error: too many recipients from 203.0.113.9"],
    ["RCPT", "450 4.7.1 <a@mail.example>: Sender address rejected: Policy Rejection- Quota Exceeded."],
    ["RCPT", "451 4.7.1 You have exceeded your hourly limit"],
    ["AUTH", "451 Authentication failed: Maximum credits exceeded"],
    ["end", "451 You've exceeded your messaging limits"],
    ["end", "421 Domain mail.example is not allowed to send: recipient limit exceeded. Try again after Fri, 27 Nov"],
    [
      "RCPT",
      "550 Domain mail.example has exceeded the max emails per hour (150/150 (100%)) allowed. Message discarded.",
    ],
    ["MAIL", "452 4.4.5 Messages per second limit exceeded"],
    ["MAIL", "452 4.5.3 Daily message limit exceeded"],
    ["AUTH", "550 Too many messages. Try again in 92 seconds."],
    ["MAIL", "421 4.7.0 slow down"],
  ],
  "domain throttled": [
    [
      "end",
      "421 4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP address. gsmtp",
    ],
    ["end", "421 4.7.0 Our system has detected an unusual rate of unsolicited mail originating from your IP address."],
    ["RCPT", "421 4.7.0 [TSS04] Messages from 203.0.113.9 temporarily deferred due to unexpected volume or complaints"],
    ["RCPT", "421 RP-001 (BAY004) Unfortunately, some messages from 203.0.113.9 weren't sent. Please try again."],
    [
      "RCPT",
      "451 4.7.650 The mail server [203.0.113.9] has been temporarily rate limited due to IP reputation. (S775)",
    ],
    ["RCPT", "451 4.7.500 Server busy. Please try again later from [203.0.113.9]. (S77719)"],
    ["RCPT", "452 4.7.1 too many messages to this domain"],
    ["end", "451 4.7.1 rate limit exceeded"],
  ],
  later: [
    ["RCPT", "451 4.3.0 Temporary lookup failure, please try again later"],
    ["RCPT", "451 4.3.0 <ada@mail.example>: Temporary lookup failure"],
    ["RCPT", "452 4.2.2 Quota exceeded (mailbox for user is full)"],
    ["RCPT", "450 4.2.2 <ada@mail.example>: user is over quota"],
    ["RCPT", "452 4.2.2 The recipient's inbox is out of storage space. gsmtp"],
    ["RCPT", "450 4.2.0 <ada@mail.example>: Recipient address rejected: Greylisted, see http://postgrey.example/help"],
    ["RCPT", "451 4.7.1 Greylisting in action, please come back later"],
    ["RCPT", "450 4.2.1 The user you are trying to contact is receiving mail too quickly. gsmtp"],
    ["RCPT", "450 4.2.1 The user you are trying to contact is receiving mail at a rate that prevents more. gsmtp"],
    ["end", "432 4.3.2 STOREDRV.Deliver; recipient thread limit exceeded"],
    ["RCPT", "450 4.1.1 <ada@mail.example>: Recipient address rejected: unverified address: connect timed out"],
    ["RCPT", "450 4.1.2 <ada@mail.example>: Recipient address rejected: Domain not found"],
    ["RCPT", "450 4.1.8 <bounce@mail.example>: Sender address rejected: Domain not found"],
    ["RCPT", "450 4.7.1 Client host rejected: cannot find your reverse hostname, [203.0.113.9]"],
    ["MAIL", "452 4.3.1 Insufficient system storage"],
    ["RCPT", "452 4.5.3 Error: too many recipients"],
    ["RCPT", "451 Temporary local problem - please try later"],
    ["end", "451 4.3.0 Mail server temporarily rejected message. gsmtp"],
    ["greeting", "421 4.3.0 Temporary System Problem. Try again later. gsmtp"],
    ["greeting", "421 4.7.0 Try again later, closing connection. gsmtp"],
    ["end", "451 4.7.0 Temporary server error. Please try again later. PRX2"],
    ["end", "451 Timeout waiting for data from client"],
    ["AUTH", "454 4.7.0 Temporary authentication failure"],
    ["MAIL", "503 5.5.1 Error: nested MAIL command"],
  ],
  configuration: [
    ["RCPT", "554 5.7.1 <ada@mail.example>: Relay access denied"],
    ["RCPT", "454 4.7.1 <ada@mail.example>: Relay access denied"],
    ["RCPT", "550 relay not permitted"],
    ["RCPT", "550 5.7.1 Unable to relay"],
    ["RCPT", "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
    ["MAIL", "550-5.7.1 Invalid credentials for relay [203.0.113.9].\r\n550 5.7.1 gsmtp"],
    [
      "end",
      "550 The from address does not match a verified Sender Identity. Mail cannot be sent until it is resolved.",
    ],
    ["MAIL", "550 Unauthenticated senders not allowed"],
    ["end", "554 Message rejected: Email address is not verified. The following identities failed the check"],
    ["end", "554 Access denied: User `arn:aws:iam::1:user/x' is not authorized to perform `ses:SendRawEmail'"],
    ["end", "421 Domain mail.example is not allowed to send: The domain is unverified and requires DNS configuration"],
    ["RCPT", "550 Sandbox subdomains are for test purposes only. Please add your own domain"],
    ["MAIL", "553 5.7.1 <a@mail.example>: Sender address rejected: not owned by user b"],
    ["end", "554 5.2.252 SendAsDenied; a@mail.example not allowed to send as b@mail.example"],
    ["MAIL", "550 5.7.60 SMTP; Client does not have permissions to send as this sender"],
    ["RCPT", "550 5.1.8 Access denied, bad outbound sender AS(42004)"],
    ["MAIL", "530 5.7.57 SMTP; Client was not authenticated to send anonymous mail during MAIL FROM"],
    ["MAIL", "530 5.7.0 Must issue a STARTTLS command first. gsmtp"],
    ["AUTH", "535 5.7.139 Authentication unsuccessful, SmtpClientAuthentication is disabled for the Tenant."],
    ["AUTH", "535 Authentication Credentials Invalid"],
    ["MAIL", "553 Mail from must equal authorized user"],
    ["greeting", "554 5.7.1 no service for you"],
  ],
  suppressed: [
    ["RCPT", "550 5.1.1 The email account that you tried to reach does not exist. See ?p=NoSuchUser gsmtp"],
    ["RCPT", "550 5.1.1 <spam@mail.example>: Recipient address rejected: User unknown in local recipient table"],
    [
      "RCPT",
      "550 5.1.1 <policy-blocked@mail.example>: Recipient address rejected: User unknown in relay recipient table",
    ],
    ["end", "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@mail.example not found by SMTP address lookup"],
    ["RCPT", "550 5.2.1 The email account that you tried to reach is disabled. gsmtp"],
    ["RCPT", "553 5.1.2 We weren't able to find the recipient domain. gsmtp"],
    ["RCPT", "553 5.1.3 The recipient address is not a valid RFC 5321 address. gsmtp"],
    ["RCPT", "501 5.1.3 Bad recipient address syntax"],
    ["end", "554 delivery error: dd This user doesn't have a mail.example account (ada@mail.example) [0]"],
    ["end", "552 1 Requested mail action aborted, mailbox not found"],
    ["RCPT", "550 No Such User Here"],
    ["RCPT", "551 User not local; please try another"],
    ["RCPT", "556 domain does not accept mail"],
  ],
  failed: [
    ["RCPT", "550 5.1.1 Client host 203.0.113.9 blocked using Spamhaus"],
    ["RCPT", "554 5.7.1 Service unavailable; Client host [203.0.113.9] blocked using zen.spamhaus.org"],
    ["RCPT", "550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents more. gsmtp"],
    ["RCPT", "552 5.2.2 The email account that you tried to reach is over quota. gsmtp"],
    ["RCPT", "550 5.1.1 The user's mailbox is full"],
    ["RCPT", "501 5.5.4 Syntax error in parameters"],
    ["RCPT", "553 Mail from 203.0.113.9 not allowed"],
    ["RCPT", "553 we do not accept mail from your server"],
    ["end", "550 5.1.20 Multiple From addresses are not allowed without Sender address"],
    ["RCPT", "550 <bounce@mail.example>: Sender address rejected: Domain not found"],
    ["RCPT", "550-Verification failed for <bounce@mail.example>\r\n550-No Such User Here\r\n550 Sender verify failed"],
    ["RCPT", "504 5.5.2 <localhost>: Helo command rejected: need fully-qualified hostname"],
    ["RCPT", "550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)"],
    ["RCPT", "553 5.7.1 [BL21] Connections will not be accepted from 203.0.113.9, because the ip is on a list"],
    ["end", "553 5.7.2 [TSS09] All messages from 203.0.113.9 will be permanently deferred"],
    ["end", "554 Message rejected: Address blacklisted."],
    ["RCPT", "550 5.7.133 RESOLVER.RST.SenderNotAuthenticatedForGroup; authentication required"],
    ["end", "550 5.7.26 Your email has been blocked because the sender is unauthenticated. gsmtp"],
    ["RCPT", "550 5.7.606 Access denied, banned sending IP [203.0.113.9]"],
    ["RCPT", "550 5.1.4 recipient address is ambiguous"],
    ["MAIL", "501 Invalid MAIL FROM address provided"],
    ["end", "552 5.3.4 Your message exceeded the size limits of the server. gsmtp"],
    ["end", "552 Message is too long."],
    ["RCPT", "553 Requested action not taken: mailbox name not allowed"],
    ["RCPT", "550 rejected"],
  ],
};

describe.each(Object.entries(REPLIES))("a mail is %s after", (result, replies) => {
  it.each(replies)("%s: %s", (step, text) => {
    expect(resultOf(step, text)).toBe(result);
  });
});

it("a reply that no row knows neither throttles nor suppresses", () => {
  for (const step of ["MAIL", "RCPT", "DATA", "end"] as const) {
    for (const code of [421, 450, 451, 452, 500, 501, 550, 552, 553, 554]) {
      for (const said of ["", " computer says no", ` ${String(code)[0]}.0.0 sorry`, ` ${String(code)[0]}.5.0 no`]) {
        expect(resultOf(step, `${code}${said}`)).toBe(code < 500 ? "later" : "failed");
      }
    }
  }
});
