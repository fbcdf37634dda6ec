/** Words of a server. `reply`: its words with codes. `status`: of the report, if not in the reply. */
export type Said = { reply: string; status?: string; to?: string; stage?: string };

export type Form = (said: Said) => string;

const OURS = "bounce+acme_ep1abc_abcdefghijkl@envelope.example.com";
const ADA = "ada@example.net";

const RETURNED = [
  `Return-Path: <${OURS}>`,
  "Received: from out.example.com (out.example.com [192.0.2.7]) by mx.example.org; Sun, 29 Nov 2026 09:59:00 +0000",
  "Message-ID: <snd_ep1abc_k3j9@example.com>",
  "From: Acme <billing@example.com>",
  `To: ${ADA}`,
  "Subject: Virus scanner: your mailbox is full of spam, user unknown",
];

const lines = (...parts: readonly string[]): string => parts.join("\r\n");

const header = (from: string, subject: string, ...more: readonly string[]): string =>
  lines(`From: ${from}`, `To: <${OURS}>`, `Subject: ${subject}`, "Date: Sun, 29 Nov 2026 10:00:00 +0000", ...more);

/** A mail of text. `more`: header fields. */
export const text = (from: string, subject: string, body: readonly string[], more: readonly string[] = []): string =>
  lines(header(from, subject, "Content-Type: text/plain; charset=utf-8", ...more), "", ...body, "");

type Parts = { from: string; subject: string; human: readonly string[]; groups: readonly (readonly string[])[] };

/** A report of RFC 3464. */
export const dsn = ({ from, subject, human, groups }: Parts): string =>
  lines(
    header(
      from,
      subject,
      "MIME-Version: 1.0",
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    ),
    "",
    "--b",
    "Content-Type: text/plain; charset=utf-8",
    "",
    ...human,
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example.org",
    ...groups.flatMap((group) => ["", ...group]),
    "",
    "--b",
    "Content-Type: text/rfc822-headers",
    "",
    ...RETURNED,
    "",
    "--b--",
    "",
  );

const statusIn = ({ reply, status }: Said): string => status ?? /\b[45]\.\d+\.\d+\b/.exec(reply)?.[0] ?? "5.0.0";
const group = (said: Said, type = "smtp", to = said.to ?? ADA): string[] => [
  `Final-Recipient: rfc822; ${to}`,
  "Action: failed",
  `Status: ${statusIn(said)}`,
  ...(type === "" ? [] : [`Diagnostic-Code: ${type}; ${said.reply}`]),
];

const postfix: Form = (said) =>
  dsn({
    from: "Mail Delivery System <MAILER-DAEMON@mx.example.org>",
    subject: "Undelivered Mail Returned to Sender",
    human: [
      "This is the mail system at host mx.example.org.",
      "",
      "I'm sorry to have to inform you that your message could not",
      "be delivered to one or more recipients. It's attached below.",
      "",
      `<${said.to ?? ADA}>: host mx.example.net[192.0.2.9] said: ${said.reply}`,
      `    (in reply to ${said.stage ?? "RCPT TO"} command)`,
    ],
    groups: [[`Original-Recipient: rfc822;${said.to ?? ADA}`, ...group(said)]],
  });

/** A server that refuses at its greeting. */
const postfixGreeting: Form = (said) =>
  dsn({
    from: "MAILER-DAEMON@mx.example.org (Mail Delivery System)",
    subject: "Undelivered Mail Returned to Sender",
    human: [
      "This is the mail system at host mx.example.org.",
      "",
      `<${ADA}>: host mx.example.net[192.0.2.9] refused to talk to me: ${said.reply}`,
    ],
    groups: [[`Original-Recipient: rfc822;${ADA}`, ...group(said)]],
  });

/** The words of Postfix itself, which has asked no server. */
const postfixOwn: Form = (said) =>
  dsn({
    from: "MAILER-DAEMON@mx.example.org (Mail Delivery System)",
    subject: "Undelivered Mail Returned to Sender",
    human: ["This is the mail system at host mx.example.org.", "", `<${ADA}>: ${said.reply}`],
    groups: [group(said, "X-Postfix")],
  });

const exim: Form = ({ reply, stage = "RCPT TO" }) =>
  text(
    "Mail Delivery System <Mailer-Daemon@mx.example.org>",
    "Mail delivery failed: returning message to sender",
    [
      "This message was created automatically by mail delivery software.",
      "",
      "A message that you sent could not be delivered to one or more of its",
      "recipients. This is a permanent error. The following address(es) failed:",
      "",
      `  ${ADA}`,
      ...(stage === ""
        ? [`    ${reply}`]
        : [
            `    host mx.example.net [192.0.2.9]`,
            `    SMTP error from remote mail server after ${stage}:<${stage === "MAIL FROM" ? OURS : ADA}>:`,
            `    ${reply}`,
          ]),
      "",
      "------ This is a copy of your message, including all the headers. ------",
      "",
      ...RETURNED,
    ],
    [`X-Failed-Recipients: ${ADA}`, "Auto-Submitted: auto-replied"],
  );

const sendmail: Form = (said) =>
  dsn({
    from: "Mail Delivery Subsystem <MAILER-DAEMON@mx.example.org>",
    subject: "Returned mail: see transcript for details",
    human: [
      "   ----- The following addresses had permanent fatal errors -----",
      `<${ADA}>`,
      `    (reason: ${said.reply})`,
      "",
      "   ----- Transcript of session follows -----",
      "... while talking to mx.example.net.:",
      `>>> ${said.stage ?? "RCPT To"}:<${ADA}>`,
      `<<< ${said.reply}`,
      `554 5.0.0 Service unavailable`,
    ],
    groups: [group(said)],
  });

/** The words of the transcript are all there is. */
const sendmailOld: Form = ({ reply, stage = "RCPT To" }) =>
  text("MAILER-DAEMON@mx.example.org (Mail Delivery Subsystem)", "Returned mail: Service unavailable", [
    "The original message was received at Sun, 29 Nov 2026 09:59:00 GMT",
    "",
    "   ----- Transcript of session follows -----",
    "... while talking to mx.example.net.:",
    `>>> ${stage}:<${stage.startsWith("MAIL") ? OURS : ADA}>`,
    `<<< ${reply}`,
    ">>> DATA",
    "<<< 503 5.0.0 Need RCPT (recipient)",
    "... Deferred: Connection reset by mx.example.net.",
    "",
    "   ----- Original message follows -----",
    ...RETURNED,
  ]);

const qmail: Form = ({ reply, stage = "" }) =>
  text("MAILER-DAEMON@mx.example.org", "failure notice", [
    "Hi. This is the qmail-send program at mx.example.org.",
    "I'm afraid I wasn't able to deliver your message to the following addresses.",
    "This is a permanent error; I've given up. Sorry it didn't work out.",
    "",
    `<${ADA}>:`,
    ...(stage === "" ? [reply] : [`192.0.2.9 ${stage}`, `Remote host said: ${reply}`, "Giving up on 192.0.2.9."]),
    "",
    "--- Below this line is a copy of the message.",
    "",
    ...RETURNED,
  ]);

const exchange: Form = (said) =>
  dsn({
    from: "Microsoft Outlook <MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@corp.example>",
    subject: "Undeliverable: Your receipt",
    human: [
      "Delivery has failed to these recipients or groups:",
      "",
      `${ADA}<mailto:${ADA}>`,
      "A problem occurred during the delivery of this message. Please try again later, or contact your helpdesk.",
      "",
      "Diagnostic information for administrators:",
      "Generating server: EX01.corp.example",
      "",
      ADA,
      `#< #${said.reply}> #SMTP#`,
      "",
      "Original message headers:",
      "",
      ...RETURNED,
    ],
    groups: [group(said)],
  });

/** Exchange 2003 and IIS: status alone, and words for people. */
const iis: Form = (said) =>
  dsn({
    from: "postmaster@corp.example",
    subject: "Delivery Status Notification (Failure)",
    human: [
      "This is an automatically generated Delivery Status Notification.",
      "",
      "Delivery to the following recipients failed.",
      "",
      `       ${ADA}`,
      `       ${said.reply}`,
    ],
    groups: [group(said, "")],
  });

const gmail: Form = (said) =>
  dsn({
    from: "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    subject: "Delivery Status Notification (Failure)",
    human: [
      "** Message not delivered **",
      "",
      `There was a problem delivering your message to ${ADA}. See the technical details below.`,
      "",
      "The response from the remote server was:",
      said.reply,
    ],
    groups: [group(said)],
  });

const yahoo: Form = ({ reply }) =>
  text("MAILER-DAEMON@yahoo.example", "Failure Notice", [
    "Sorry, we were unable to deliver your message to the following address.",
    "",
    `<${ADA}>:`,
    reply,
    "",
    "--- Below this line is a copy of the message.",
    ...RETURNED,
  ]);

const opensmtpd: Form = (said) =>
  dsn({
    from: "Mailer Daemon <MAILER-DAEMON@mx.example.org>",
    subject: "Delivery status notification: error",
    human: [
      "    Hi!",
      "",
      "    This is the MAILER-DAEMON, please DO NOT REPLY to this email.",
      "",
      "    An error has occurred while attempting to deliver a message for",
      "    the following list of recipients:",
      "",
      `${ADA}: ${said.reply}`,
      "",
      "    Below is a copy of the original message:",
    ],
    groups: [group({ ...said, status: "5.0.0" }, "")],
  });

const dma: Form = ({ reply, stage = "RCPT TO" }) =>
  text("MAILER-DAEMON <>", "Mail delivery failed", [
    "This is the DragonFly Mail Agent v0.13 at mx.example.org.",
    "",
    `There was an error with your mail to <${ADA}>.`,
    "",
    ...(stage === "" ? [reply] : [`mx.example.net [192.0.2.9] did not like our ${stage}:`, reply]),
    "",
    "Message headers follow.",
    "",
    ...RETURNED,
  ]);

const courier: Form = (said) =>
  dsn({
    from: "Courier mail server at mx.example.org <@>",
    subject: "NOTICE: mail delivery status.",
    human: [
      "This is a delivery status notification from mx.example.org, running Courier.",
      "",
      "                   DELIVERY FAILURE:",
      "",
      `<${ADA}>:`,
      "     mx.example.net [192.0.2.9]:",
      `     >>> ${said.stage ?? "RCPT TO"}:<${ADA}>`,
      `     <<< ${said.reply}`,
    ],
    groups: [group(said)],
  });

const domino: Form = (said) =>
  dsn({
    from: "postmaster@corp.example",
    subject: "DELIVERY FAILURE: Message could not be delivered",
    human: [
      "Your message",
      "",
      "  Subject: Your receipt",
      "",
      "was not delivered to:",
      "",
      `  ${ADA}`,
      "",
      "because:",
      "",
      `  ${said.reply}`,
    ],
    groups: [group(said, "X-Notes")],
  });

const gateway =
  (from: string, subject: string): Form =>
  (said) =>
    dsn({ from, subject, human: [`Your message to ${ADA} was not delivered.`, "", said.reply], groups: [group(said)] });

const notice =
  (from: string, subject: string): Form =>
  ({ reply }) =>
    text(from, subject, [
      "Your mail could not be delivered.",
      "",
      `<${ADA}>`,
      reply,
      "",
      "----- Original message -----",
      ...RETURNED,
    ]);

/** A sender without a server's name. */
const stranger =
  (from: string, subject: string): Form =>
  ({ reply }) =>
    text(from, subject, [reply, "", ...RETURNED]);

export const FORMS = {
  postfix,
  postfixGreeting,
  postfixOwn,
  exim,
  sendmail,
  sendmailOld,
  qmail,
  exchange,
  iis,
  gmail,
  yahoo,
  opensmtpd,
  dma,
  courier,
  domino,
  mimecast: gateway("Mail Delivery <postmaster@mimecast.example>", "[Postmaster] Email Delivery Failure"),
  proofpoint: gateway(
    "Mail Delivery Subsystem <MAILER-DAEMON@pphosted.example>",
    "Returned mail: see transcript for details",
  ),
  barracuda: gateway("Barracuda <barracuda@filter.example>", "**Message you sent blocked by our bulk email filter**"),
  ses: gateway("MAILER-DAEMON@eu-west-1.amazonses.example", "Delivery Status Notification (Failure)"),
  powermta: gateway("mailer-daemon@pmta.example", "Delivery report"),
  james: notice("postmaster@james.example", "[BOUNCE]Your receipt"),
  kddi: stranger("no-reply@mobile.example", "Mail System Error - Returned Mail"),
  mailru: notice("mailer-daemon@corp.mail.example", "Mail failure."),
  qq: notice("PostMaster <postmaster@qq.example>", "系统退信"),
  japanese: stranger("post_master@mobile.example", "メール送信エラーのお知らせ"),
  mfilter: ({ reply, stage = "RCPT TO" }) =>
    text("<>", "failure notice", [
      "-------server message",
      reply,
      "-------SMTP command",
      `${stage}:<${ADA}>`,
      "-------original mail info",
      ...RETURNED,
    ]),
} satisfies Readonly<Record<string, Form>>;
