import { describe, expect, it } from "vitest";
import { parseReport } from "../../../../../src/email/mail/bounces/parse.ts";
import { dsn, text } from "./corpus/forms.ts";

const read = (mail: string) => parseReport(new TextEncoder().encode(mail));
const kindsOf = async (mail: string) =>
  (await read(mail)).feedback.map(({ kind, recipient }) => `${recipient} ${kind}`);

const UNKNOWN = ["Your mail could not be delivered.", "", "ada@example.net:", "550 5.1.1 no such user"];

describe("the sender of a notice", () => {
  it.each([
    "MAILER-DAEMON <>",
    "<>",
    "mailer-daemon",
    "Mail Delivery System <mail.delivery.system@mx.example.org>",
    "post_master@mx.example.org",
    "Postmaster <helpdesk@corp.example>",
    "System Administrator <it@corp.example>",
  ])("is a server: %s", async (from) => {
    expect(await kindsOf(text(from, "a notice", UNKNOWN))).toEqual(["ada@example.net hard"]);
  });

  it.each([
    ["no-reply@mobile.example", "Mail System Error - Returned Mail"],
    ["support@corp.example", "Delivery status notification"],
    ["anyone@corp.example", "Your receipt"],
  ])("may be anyone, if the words are those of a failure: %s, %s", async (from, subject) => {
    expect(await kindsOf(text(from, subject, UNKNOWN))).toEqual(["ada@example.net hard"]);
  });
});

describe("no bounce", () => {
  const GONE = [
    "I have left the company, so this mailbox is no longer in use. The address ada@example.net does not exist any more.",
  ];
  it.each([
    ["an out-of-office answer", text("Ada <ada@example.net>", "Out of office", GONE, ["Auto-Submitted: auto-replied"])],
    ["an answer without a header", text("Ada <ada@example.net>", "Automatic reply: Your receipt", GONE)],
    ["an answer of a postmaster", text("postmaster@example.net", "Automatische Antwort: Ihre Rechnung", GONE)],
    [
      "an answer in French",
      text("ada@example.net", "Réponse automatique : votre reçu", ["Ma boîte est pleine de joie."]),
    ],
    ["a person who left", text("Ada <ada@example.net>", "Re: Your receipt", GONE)],
    [
      "a person who quotes a bounce",
      text("Ada <ada@example.net>", "Re: Your receipt", [
        "Your mail to Bob could not be delivered:",
        "",
        "> 550 5.1.1 user unknown",
      ]),
    ],
    [
      "a ticket",
      text("support@corp.example", "[#550123] Your request", ["We got your mail. 550 people are ahead of you."]),
    ],
    [
      "a mailbox nobody reads",
      text("no-reply@corp.example", "Your receipt", [
        "This mailbox is not monitored. Your mail was not delivered to a person.",
      ]),
    ],
    [
      "a receipt of a mail program",
      dsn({
        from: "ada@example.net",
        subject: "Read: Your receipt",
        human: ["Your message was read."],
        groups: [],
      }).replaceAll("delivery-status", "disposition-notification"),
    ],
    [
      "a newsletter",
      text("news@shop.example", "Delivery in 24 hours", ["Our mailbox is full of offers. Unknown users welcome."]),
    ],
    [
      "a challenge",
      text("ada@example.net", "Please confirm your mail", ["Click the link so that your message can be delivered."]),
    ],
  ])("is %s", async (_, mail) => {
    expect((await read(mail)).feedback).toEqual([]);
  });
});

describe("a mail of a person or a program with the words of a failure", () => {
  const AUTO = ["Auto-Submitted: auto-replied"];
  const sign = ["", "Ada Lovelace", "ada@example.net"];
  it.each([
    [
      "the own address at the beginning",
      text("Ada <ada@example.net>", "Failed delivery", ["Ada@example.net:", "My account is closed, they say."]),
    ],
    ["an error of an app", text("Ada <ada@example.net>", "Delivery failure", ["I get error: 500 user not found"])],
    [
      "a postmaster who asks",
      text("Postmaster <postmaster@example.net>", "Question", [
        "Our user is unknown there?",
        "",
        "postmaster@example.net",
      ]),
    ],
    [
      "a parcel",
      text("Ada <ada@example.net>", "Failed delivery", ["The driver says that the address is unknown.", ...sign]),
    ],
    [
      "a number like a code",
      text("Ada <ada@example.net>", "Delivery problem", ["My order 550: user unknown, says your shop."]),
    ],
    [
      "an invoice",
      text("Ada <ada@example.net>", "Email not delivered", ["No invoice came. Is my account disabled?", ...sign]),
    ],
    ["a return", text("Ada <ada@example.net>", "Returned mail", ["I send it back. Account closed, please.", ...sign])],
    ["German", text("Ada <ada@example.net>", "Nicht zugestellt", ["Der Bote sagt: Empfänger unbekannt.", ...sign])],
    [
      "a postmaster who moved",
      text("postmaster@example.net", "New address", ["The mailbox is no longer in use."], AUTO),
    ],
    [
      "a postmaster without a header",
      text("postmaster@example.net", "We moved", ["This mailbox is no longer in use."]),
    ],
    [
      "an administrator who is away",
      text(
        "Mail Administrator <mailadmin@example.net>",
        "Thanks",
        ["My mailbox is not available until 5.1.27."],
        [...AUTO, "X-Auto-Response-Suppress: All"],
      ),
    ],
    [
      "a postmaster with a failure",
      text("postmaster@example.net", "Undeliverable", ["My mailbox does not exist any more."], AUTO),
    ],
    [
      "a postmaster with a new address",
      text(
        "postmaster@example.net",
        "We moved",
        ["Write to", "", "ada@other.example", "The old mailbox is no longer in use."],
        AUTO,
      ),
    ],
    [
      "an answer by Precedence",
      text("postmaster@example.net", "Undeliverable", ["This mailbox is closed."], ["Precedence: auto_reply"]),
    ],
    [
      "a ticket",
      text(
        "Shop <shop@example.net>",
        "Delivery failure",
        ["This inbox is not monitored."],
        ["Auto-Submitted: auto-generated"],
      ),
    ],
  ])("is none without a code, the address or the mail: %s", async (_, mail) => {
    expect((await read(mail)).feedback).toEqual([]);
  });

  it.each([
    ["a sentence with the address", ["Your message to ada@example.net was undeliverable. The mailbox does not exist."]],
    ["a line of the address", ["ada@example.net: mailbox unavailable"]],
    ["a code", ["The server said: 550 No such user"]],
    ["the header of the mail", ["The mailbox does not exist.", "", "Received: from a by b", "Subject: Hello"]],
  ])("is one with %s", async (_, body) => {
    const { feedback } = await read(text("info@isp.example", "Delivery failure", body));
    expect(feedback.map(({ kind }) => kind)).toEqual(["hard"]);
  });

  it.each([
    [
      "a daemon",
      "Mailer <mailer-daemon@isp.example>",
      "Mail delivery failed",
      ["ada@example.net:", "No such mailbox."],
    ],
    ["a postmaster", "PostMaster@isp.example", "退信", ["ada@example.net", "550 5.1.1 unknown"]],
  ])("is one of a server with the header of an answer: %s", async (_, from, subject, body) => {
    expect(await kindsOf(text(from, subject, body, AUTO))).toEqual(["ada@example.net hard"]);
  });

  it("is one with an address and another subject", async () => {
    const body = ["As their mailbox is full, your mail could not be delivered to ada@example.net"];
    expect((await read(text("info@isp.example", "Your message", body))).feedback).toMatchObject([{ kind: "soft" }]);
  });
});

describe("the step of a report that is named to people only", () => {
  const human = (...said: readonly string[]) => ["This is the mail system.", "", ...said];
  const group = (name: string) => [
    `Final-Recipient: rfc822; ${name}@example.net`,
    "Action: failed",
    "Status: 5.1.1",
    "Diagnostic-Code: smtp; 550 5.1.1 no",
  ];
  const report = (said: readonly string[], ...names: readonly string[]) =>
    dsn({ from: "MAILER-DAEMON@x.example", subject: "failure", human: human(...said), groups: names.map(group) });
  const mailFrom = ["<ada@example.net>: host mx said: 550 5.1.1 no", "    (in reply to MAIL FROM command)"];
  const rcptTo = ["<bob@example.net>: host mx said: 550 5.1.1 no", "    (in reply to RCPT TO command)"];

  it("counts for its recipient only, and is in the words", async () => {
    const mail = report([...mailFrom, "", ...rcptTo], "ada", "bob");
    expect(await kindsOf(mail)).toEqual(["ada@example.net policy", "bob@example.net hard"]);
    expect((await read(mail)).feedback[0]?.message).toBe("550 5.1.1 no (in reply to MAIL FROM)");
  });
});

describe("the words of a notice", () => {
  it("end where the returned mail begins, with a title or without", async () => {
    const copy = [
      "Received: from a by b",
      "Subject: Virus: mailbox full",
      "",
      "550 5.2.2 bob@example.net mailbox full",
    ];
    for (const title of [
      [],
      ["--- Below this line is a copy of the message."],
      ["Included is a copy of the message header:"],
    ])
      expect(
        await kindsOf(text("MAILER-DAEMON@x.example", "failure notice", [...UNKNOWN, "", ...title, "", ...copy])),
      ).toEqual(["ada@example.net hard"]);
  });

  it("name an address once, however often it is said", async () => {
    const again = ["", "Ada@example.net", "  The administrator got a copy.", "", "<ada@example.net>"];
    expect(await kindsOf(text("MAILER-DAEMON@x.example", "failure", [...UNKNOWN, ...again]))).toEqual([
      "ada@example.net hard",
    ]);
  });

  it("do not make our return path a recipient", async () => {
    const ours = ["bounce+acme_ep1abc_abcdefghijkl@envelope.example.com", "  was the sender."];
    expect(await kindsOf(text("MAILER-DAEMON@x.example", "failure", [...ours, ...UNKNOWN]))).toEqual([
      "ada@example.net hard",
    ]);
  });

  const session = (...lines: readonly string[]) =>
    text("MAILER-DAEMON@x.example", "Returned mail", ["   ----- Transcript of session follows -----", ...lines]);
  it.each([
    [
      "hard",
      [">>> RCPT To:<ada@example.net>", "<<< 550 User unknown", "... Deferred: Connection reset by mx.example.net."],
    ],
    [
      "hard",
      [
        ">>> RCPT To:<ada@example.net>",
        "<<< 450 Try again later",
        ">>> RCPT To:<ada@example.net>",
        "<<< 550 No such user",
      ],
    ],
    [
      "hard",
      [
        ">>> MAIL From:<us@example.com>",
        "<<< 250 ok",
        ">>> RCPT To:<ada@example.net>",
        "<<< 550 No such user",
        ">>> DATA",
        "<<< 503 no recipients",
      ],
    ],
    [
      "soft",
      [
        ">>> RCPT To:<ada@example.net>",
        "<<< 550 Unknown user",
        ">>> RCPT To:<ada@example.net>",
        "<<< 452 4.2.2 Mailbox full",
      ],
    ],
    ["policy", [">>> MAIL From:<us@example.com>", "<<< 550 5.1.1 Unknown address"]],
    ["policy", [">>> EHLO out.example.com", "<<< 554 5.1.1 No such host"]],
  ])("are those of the last reply of a transcript: %s", async (kind, lines) => {
    expect((await read(session(...lines))).feedback.map((one) => one.kind)).toEqual([kind]);
  });
});

describe("a report with several groups", () => {
  const human = ["The mail could not be delivered."];
  const report = (...groups: readonly (readonly string[])[]) =>
    dsn({ from: "MAILER-DAEMON@x.example", subject: "failure", human, groups });
  const member = (final: string, action: string, status: string, reply = "") => [
    `Final-Recipient: rfc822; ${final}`,
    "Original-Recipient: rfc822;team@lists.example",
    `Action: ${action}`,
    `Status: ${status}`,
    ...(reply === "" ? [] : [`Diagnostic-Code: smtp; ${reply}`]),
  ];
  const dead = member("dead@corp.example", "failed", "5.1.1", "550 5.1.1 User unknown");

  it("of one address is about the members that work", async () => {
    expect(await kindsOf(report(dead, member("b@corp.example", "relayed", "2.0.0")))).toEqual([
      "team@lists.example delivered",
    ]);
    expect(await kindsOf(report(dead, member("c@corp.example", "failed", "5.2.2", "552 Mailbox full")))).toEqual([
      "team@lists.example soft",
    ]);
    expect(await kindsOf(report(dead, member("d@corp.example", "failed", "5.1.1", "550 No such user")))).toEqual([
      "team@lists.example hard",
    ]);
  });

  it("takes the last of a group that is repeated", async () => {
    expect(await kindsOf(report(member("dead@corp.example", "failed", "4.4.1"), dead))).toEqual([
      "team@lists.example hard",
    ]);
  });

  it("without a reason has that of the part for people, for each recipient", async () => {
    const mail = dsn({
      from: "MAILER-DAEMON@x.example",
      subject: "Delivery status notification: error",
      human: [
        "These recipients failed:",
        "",
        "ada@example.net: 550 5.1.1 User unknown",
        "",
        "bob@example.net: 550 5.7.26 sender is unauthenticated",
      ],
      groups: ["ada", "bob"].map((name) => [
        `Final-Recipient: rfc822; ${name}@example.net`,
        "Action: failed",
        "Status: 5.0.0",
      ]),
    });
    expect(await kindsOf(mail)).toEqual(["ada@example.net hard", "bob@example.net policy"]);
  });
});
