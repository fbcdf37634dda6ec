import { dsn, text } from "./forms.ts";

const HEADER = [
  "Received: from out.example.com by mx.example.org; Sun, 29 Nov 2026 09:59:00 +0000",
  "Message-ID: <snd_1@example.com>",
  "Subject: your mailbox is full",
];

/** Notices by what is read: kinds, the form, and the mail. */
export const NOTICES: readonly (readonly [kinds: string, form: string, mail: string])[] = [
  [
    "hard",
    "exch2003",
    text("System Administrator <postmaster@corp.example>", "Undeliverable: Hello", [
      "Your message did not reach some or all of the intended recipients.",
      "",
      "      Subject:\tHello",
      "      Sent:\t11/29/2026 10:00 AM",
      "",
      "The following recipient(s) could not be reached:",
      "",
      "      'ada@example.net' on 11/29/2026 10:00 AM",
      "            The e-mail account does not exist at the organization this message was sent to.  Check the e-mail address, or contact the recipient directly to find out the correct address.",
      "            <mx.corp.example #5.1.1>",
    ]),
  ],
  [
    "soft",
    "exch2003 full",
    text("postmaster@corp.example", "Undeliverable: Hello", [
      "The following recipient(s) could not be reached:",
      "",
      "      ada@example.net on 11/29/2026 10:00 AM",
      "            The recipient's mailbox is full and can't accept messages now. Please try resending this message later.",
      "            <mx.corp.example #5.2.2>",
    ]),
  ],
  [
    "hard",
    "gmail html",
    text("Mail Delivery Subsystem <mailer-daemon@googlemail.com>", "Delivery Status Notification (Failure)", [
      "** Address not found **",
      "",
      "Your message wasn't delivered to ada@example.net because the address couldn't be found, or is unable to receive mail.",
      "",
      "The response from the remote server was:",
      "550 5.1.1 The email account that you tried to reach does not exist.",
    ]),
  ],
  [
    "delayed",
    "gmail delay",
    text("Mail Delivery Subsystem <mailer-daemon@googlemail.com>", "Delivery Status Notification (Delay)", [
      "** Delivery incomplete **",
      "There was a temporary problem delivering your message to ada@example.net. Gmail will retry for 47 more hours. You'll be notified if the delivery fails permanently.",
    ]),
  ],
  [
    "hard",
    "mdaemon",
    text("MDaemon at mx.example <MDaemon@mx.example>", "Permanent Delivery Failure", [
      "----------------------------------------------------------------------",
      "  MDaemon has detected a permanent delivery failure",
      "",
      "Failed address: ada@example.net",
      "",
      "--- Session Transcript ---",
      " Sun 10:00:00: --> MAIL From:<us@example.com>",
      " Sun 10:00:00: <-- 250 ok",
      " Sun 10:00:00: --> RCPT To:<ada@example.net>",
      " Sun 10:00:00: <-- 550 5.1.1 ada@example.net unknown user",
      "--- End Transcript ---",
      ": Message contains 1 file attachments",
    ]),
  ],
  [
    "hard",
    "hmail",
    text("mailer-daemon@hmail.example", "Message undeliverable: Hello", [
      "Your message did not reach some or all of the intended recipients.",
      "",
      "   Sent: Sun, 29 Nov 2026 10:00:00",
      "   Subject: Hello",
      "",
      "The following recipient(s) could not be reached:",
      "",
      "ada@example.net",
      "   Error Type: SMTP",
      "   Remote server (192.0.2.9) issued an error.",
      "   hMailServer sent: RCPT TO:<ada@example.net>",
      "   Remote server replied: 550 Unknown user",
      "",
      "hMailServer",
    ]),
  ],
  [
    "policy",
    "hmail helo",
    text("mailer-daemon@hmail.example", "Message undeliverable: Hello", [
      "The following recipient(s) could not be reached:",
      "",
      "ada@example.net",
      "   Error Type: SMTP",
      "   Remote server (192.0.2.9) issued an error.",
      "   hMailServer sent: MAIL FROM:<us@example.com>",
      "   Remote server replied: 550 5.1.1 unknown",
    ]),
  ],
  [
    "hard",
    "o365 es",
    dsn({
      from: "Microsoft Outlook <postmaster@corp.example>",
      subject: "No se puede entregar: Hola",
      human: [
        "No se encontró a ada en example.net.",
        "",
        "ada@example.net",
        "Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup'",
      ],
      groups: [
        [
          "Final-Recipient: rfc822;ada@example.net",
          "Action: failed",
          "Status: 5.1.10",
          "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ada@example.net not found by SMTP address lookup",
        ],
      ],
    }),
  ],
  [
    "policy",
    "o365 wrapped",
    dsn({
      from: "postmaster@corp.example",
      subject: "Undeliverable",
      human: ["Your message to ada@example.net couldn't be delivered."],
      groups: [
        [
          "Final-Recipient: rfc822;ada@example.net",
          "Action: failed",
          "Status: 5.0.350",
          "Diagnostic-Code: smtp;550 5.0.350 Remote server returned an error -> 550 5.7.1 Service unavailable; Client host [192.0.2.7] blocked using Spamhaus",
        ],
      ],
    }),
  ],
  [
    "hard",
    "o365 wrapped2",
    dsn({
      from: "postmaster@corp.example",
      subject: "Undeliverable",
      human: ["x"],
      groups: [
        [
          "Final-Recipient: rfc822;ada@example.net",
          "Action: failed",
          "Status: 5.0.350",
          "Diagnostic-Code: smtp;550 5.0.350 Remote server returned an error -> 550 5.1.1 user unknown",
        ],
      ],
    }),
  ],
  [
    "soft",
    "o365 expired",
    dsn({
      from: "postmaster@corp.example",
      subject: "Undeliverable",
      human: ["x"],
      groups: [
        [
          "Final-Recipient: rfc822;ada@example.net",
          "Action: failed",
          "Status: 4.4.7",
          "Diagnostic-Code: smtp;550 4.4.7 QUEUE.Expired; message expired in unreachable destination queue. Reason: There is currently no route to the mailbox database.",
        ],
      ],
    }),
  ],
  [
    "hard",
    "mailenable",
    text("postmaster@me.example", "Delivery Failure", [
      "MailEnable: Message could not be delivered to some recipients.",
      "The following recipient(s) could not be reached:",
      "",
      "\tRecipient: [SMTP:ada@example.net]",
      "\tReason: The message could not be delivered because the domain name (example.net) does not appear to be registered.",
    ]),
  ],
  [
    "hard",
    "smartermail",
    text("System Administrator <mailer-daemon@sm.example>", "Delivery Failure", [
      "Could not deliver message to the following recipient(s):",
      "",
      "Failed Recipient: ada@example.net",
      "Reason: Remote host said: 550 5.1.1 The email account that you tried to reach does not exist",
      "",
      " -- The header and top 20 lines of the message follows --",
      "",
      ...HEADER,
    ]),
  ],
  [
    "hard",
    "kerio",
    text("postmaster@kerio.example", "Undeliverable mail: hello", [
      "Your message could not be delivered:",
      "",
      "<ada@example.net>: 550 5.1.1 User unknown",
    ]),
  ],
  [
    "hard",
    "de notice",
    text(
      "Mail Delivery System <mailer-daemon@kundenserver.example>",
      "Mail delivery failed: returning message to sender",
      [
        "This message was created automatically by mail delivery software.",
        "",
        "ada@example.net:",
        "SMTP error from remote server for RCPT TO command, host: mx.example.net (192.0.2.9) reason: 550 5.1.1 <ada@example.net>: Recipient address rejected: User unknown",
        "",
        "--- The header of the original message is following. ---",
        ...HEADER,
      ],
    ),
  ],
  [
    "policy",
    "1und1 spam",
    text(
      "Mail Delivery System <mailer-daemon@kundenserver.example>",
      "Mail delivery failed: returning message to sender",
      [
        "ada@example.net:",
        "SMTP error from remote server after transfer of mail text, host: mx.example.net (192.0.2.9) reason: 550 5.7.1 rejected as spam",
        "",
        "--- The header of the original message is following. ---",
        ...HEADER,
      ],
    ),
  ],
  [
    "soft",
    "qmail timeout",
    text("MAILER-DAEMON@mx", "failure notice", [
      "Hi. This is the qmail-send program at mx.",
      "<ada@example.net>:",
      "CNAME lookup failed temporarily. (#4.4.3)",
      "I'm not going to try again; this message has been in the queue too long.",
      "",
      "--- Below this line is a copy of the message.",
      ...HEADER,
    ]),
  ],
  [
    "hard",
    "jp",
    text("MAILER-DAEMON@docomo.example", "メール配信エラー", [
      "次の宛先への配信ができませんでした。",
      "",
      "<ada@example.net>",
      "550 Unknown user ada@example.net",
    ]),
  ],
  [
    "hard",
    "163",
    text("Postmaster@163.example", "系统退信", [
      "抱歉，您的邮件被退回来了……",
      "原邮件信息：",
      "收件人：ada@example.net",
      "退信原因",
      "收件人邮件地址（ada@example.net）不存在，邮件无法送达。",
      "SMTP error, RCPT TO: 550 User not found",
    ]),
  ],
  [
    "soft",
    "163 full",
    text("Postmaster@163.example", "系统退信", [
      "收件人：ada@example.net",
      "退信原因: 收件人的邮箱已满",
      "host mx said: 552 Quota exceeded or service disabled",
    ]),
  ],
  ["", "ooo ja", text("ada@example.net", "自動応答: 休暇中", ["ただいま休暇中です。メールは配信できません。"])],
  ["", "mdn", text("ada@example.net", "Read: Hello", ["Your message was read on Sunday."])],
  [
    "",
    "person",
    text(
      "Ada <ada@example.net>",
      "Re: Invoice 550",
      ["Hi, the invoice 550 could not be delivered to accounting, please resend to bob@example.net", "550 is wrong"],
      ["In-Reply-To: <snd_1@example.com>"],
    ),
  ],
  [
    "",
    "auto moved",
    text("ada@example.net", "I have a new email address", [
      "My address ada@old.example is no longer valid. Please use ada@new.example from now on.",
    ]),
  ],
  [
    "",
    "left auto",
    text(
      "ada@example.net",
      "No longer with Acme",
      ["Ada is no longer with Acme. This mailbox does not exist any more. Contact bob@acme.example."],
      ["Auto-Submitted: auto-generated"],
    ),
  ],
];
