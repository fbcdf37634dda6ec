import { env as ofObjects } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Env } from "../../../../../../src/email/env.ts";
import { bounceAddress, tokenOf } from "../../../../../../src/email/mail/bounces/return-path-token.ts";
import { receiveMail } from "../../../../../../src/email/mail-in.ts";
import { bindings, createTeam, handedOver, isolated, type Team } from "../../../bench.ts";
import { accept, addMarketingMessage, sendTo } from "../../../marketing.ts";

isolated();

const ADDRESS = "ada@example.com";
const LOOP = "fbl@envelope.example.com";
// Links are signed with the secret of the objects.
const env = {
  ...bindings,
  FORMER_API_KEY_SECRETS: (ofObjects as unknown as Env).API_KEY_SECRET,
} as unknown as Env;

let team: Team;
let logged: ReturnType<typeof vi.spyOn>;
beforeEach(async () => {
  logged = vi.spyOn(console, "log").mockImplementation(() => {});
  team = await createTeam({ samples: true });
  await team.post("/contacts/create", { email: ADDRESS });
});

type Sent = { n: number; messageId: string };
const sent = async (): Promise<Sent> => {
  await team.post("/transactional", {
    transactionalId: "tpl_welcome",
    email: ADDRESS,
    dataVariables: { name: "Ada" },
  });
  await handedOver();
  const [{ n, id } = { n: 0, id: "" }] = await team.rows("SELECT n, id FROM sends ORDER BY n DESC LIMIT 1");
  return { n: Number(n), messageId: `<${id}@${DOMAIN.name}>` };
};
const stateOf = async (n: number) => (await team.rows(`SELECT state FROM sends WHERE n = ${n}`))[0]?.state;
const DOMAIN = { name: "mail.acme.example" };
const addDomain = async (to = team) => (await to.admin("POST", "/domains", DOMAIN)).json;

const arrives = async (mail: string, to = LOOP) => {
  const rejected: string[] = [];
  const raw = new Response(mail).body as ReadableStream<Uint8Array>;
  await receiveMail({ to, raw, setReject: (reason) => void rejected.push(reason) }, env);
  return rejected;
};

const mixed = (parts: readonly (readonly string[])[]) =>
  [
    "From: staff@hotmail.example",
    "Subject: complaint about message from 192.0.2.7",
    'Content-Type: multipart/mixed; boundary="b"',
    "",
    ...parts.flatMap((part) => ["--b", ...part, ""]),
    "--b--",
    "",
  ].join("\r\n");

const RECIPIENT = `X-HmXmrOriginalRecipient: <${ADDRESS}>`;
const HEADER = ["From: hello@example.com", `To: ${ADDRESS}`, "Subject: News", "", "Hello"];

const inBase64 = (lines: readonly string[]): string[] => btoa(lines.join("\r\n")).match(/.{1,76}/g) ?? [];

/** Complaints of Microsoft, with a line of the returned mail that names it. */
const JMRP: readonly [string, (line: string) => string][] = [
  ["the mail in a part", (line) => mixed([["Content-Type: message/rfc822", "", RECIPIENT, line, ...HEADER]])],
  ["the mail itself", (line) => [RECIPIENT, line, ...HEADER].join("\r\n")],
  [
    "the mail in base64",
    (line) =>
      mixed([
        ["Content-Type: text/plain", "Content-Transfer-Encoding: base64", "", ...inBase64(["A complaint."])],
        [
          "Content-Type: message/rfc822",
          "Content-Transfer-Encoding: BASE64",
          "",
          ...inBase64([RECIPIENT, line, ...HEADER]),
        ],
      ]),
  ],
  [
    "a report of a type with a comment, and the mail in base64",
    (line) =>
      mixed([
        ["Content-Type: message/feedback-report", "", "Feedback-Type: abuse (spam button)", "Version: 1"],
        ["Content-Type: message/rfc822", "Content-Transfer-Encoding: base64", "", ...inBase64([line, ...HEADER])],
      ]),
  ],
  [
    "a report of three fields",
    (line) =>
      mixed([
        ["Content-Type: message/feedback-report", "", "Feedback-Type: abuse", "User-Agent: JMRP/1.0", "Version: 1"],
        ["Content-Type: message/rfc822", "", RECIPIENT, line, ...HEADER],
      ]),
  ],
];

describe.each(JMRP)("a complaint of Microsoft with %s", (_, mail) => {
  it("finds its mail by the Message-ID", async () => {
    const one = await sent();
    await addDomain();
    expect(await arrives(mail(`Message-ID: ${one.messageId}`))).toEqual([]);
    expect(await stateOf(one.n)).toBe("complained");
    expect(await team.rows("SELECT email_key, reason FROM suppressions")).toEqual([
      { email_key: ADDRESS, reason: "complaint" },
    ]);
    expect(await team.find({ email: ADDRESS })).toMatchObject({ subscribed: false });
  });

  it("finds its mail by List-Unsubscribe", async () => {
    await accept(team, await addMarketingMessage(team, "<Paragraph>Hi</Paragraph>"), ADDRESS);
    const { headers } = await sendTo(team, ADDRESS);
    expect(await arrives(mail(`List-Unsubscribe: ${headers["List-Unsubscribe"]}`))).toEqual([]);
    expect(await team.rows("SELECT state FROM sends")).toEqual([{ state: "complained" }]);
  });

  it("finds its mail by the return path in the results of SPF", async () => {
    const { n } = await sent();
    const path = bounceAddress(await tokenOf({ team: "acme", n }, bindings.API_KEY_SECRET), "envelope.example.com");
    expect(await arrives(mail(`Authentication-Results: mx; spf=pass smtp.mailfrom=${path}`))).toEqual([]);
    expect(await stateOf(n)).toBe("complained");
  });

  it("about the mail of another is taken, and changes nothing", async () => {
    const { n } = await sent();
    expect(await arrives(mail("Message-ID: <1@other.example>"))).toEqual([]);
    expect(await stateOf(n)).toBe("sent");
  });
});

it("a mail of ours as a file in base64 is taken, and is no complaint", async () => {
  const { n, messageId } = await sent();
  await addDomain();
  const file = [
    'Content-Type: application/octet-stream; name="spam.eml"',
    "Content-Transfer-Encoding: base64",
    "",
    ...inBase64([`Message-ID: ${messageId}`, ...HEADER]),
  ];
  const mail = mixed([["Content-Type: text/plain", "", "Please look at it."], file]);
  expect(await arrives(mail.replace("complaint about", "about the"))).toEqual([]);
  expect(await stateOf(n)).toBe("sent");
});

describe("a Message-ID", () => {
  const [, [, complaint] = ["", () => ""]] = JMRP;
  const of = (messageId: string) => complaint(`Message-ID: ${messageId}`);

  it("that was guessed changes nothing, and asks for one mail", async () => {
    const one = await sent();
    await addDomain();
    const before = await team.everything();
    const guessed = one.messageId.replace(/_[0-9a-z]+@/, "_aaaaaaaaaaaaaaaaaaaa@");
    expect(await arrives(of(guessed))).toEqual([]);
    expect(await arrives(of(one.messageId.replace("@", "@other.")))).toEqual([]);
    expect(await team.everything()).toBe(before);
  });

  it("is of the team that has its domain, while it has it", async () => {
    const one = await sent();
    const other = await createTeam({ id: "beta" });
    await addDomain(other);
    await arrives(of(one.messageId));
    expect(await stateOf(one.n)).toBe("sent");
    const { id } = await addDomain();
    await arrives(of(one.messageId));
    expect(await stateOf(one.n)).toBe("complained");

    const two = await sent();
    await team.admin("DELETE", `/domains/${id}`);
    await arrives(of(two.messageId));
    expect(await stateOf(two.n)).not.toBe("complained");
  });

  it("in words that read like a bounce is none, because anyone can quote a mail", async () => {
    const one = await sent();
    await addDomain();
    const mail = `From: mailer-daemon@example.net\r\nSubject: failure notice\r\n\r\n<${ADDRESS}>: 550 5.1.1 user unknown\r\nMessage-ID: ${one.messageId}`;
    expect(await arrives(mail, "hello@envelope.example.com")).toEqual([]);
    expect(await stateOf(one.n)).toBe("sent");
  });

  it("in a mail of a person is no complaint, and the mail is not rejected", async () => {
    const one = await sent();
    await addDomain();
    const mail = `From: ${ADDRESS}\r\nIn-Reply-To: ${one.messageId}\r\nSubject: Re: Welcome\r\n\r\nThank you!`;
    expect(await arrives(mail, "hello@envelope.example.com")).toEqual([]);
    expect(await stateOf(one.n)).toBe("sent");
    expect(logged.mock.calls.join("\n")).toContain("bounce_ignored");
  });
});
