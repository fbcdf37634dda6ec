import { expect, it, vi } from "vitest";
import { composeMail } from "../../../../../src/email/delivery/mailer/compose-mail.ts";
import type { CompiledMessage } from "../../../../../src/email/types/compiled-message.ts";
import { createTeam, isolated, request } from "../../bench.ts";

isolated();

const row = { id: "snd_1", n: 1, revision: 1, recipient: "a@b.co", attempt: 1, date: 0, attachments: 0 };

const composedOf = (
  template: Partial<CompiledMessage>,
  value = "",
  withheld: string[] = [],
  preview = false,
  publicUrl?: string,
) =>
  composeMail(
    "acme",
    { ...row, preview, withheld, messageId: "<snd_1@example.com>", values: JSON.stringify({ "data.x": value }) },
    {
      subject: [],
      html: [],
      text: [],
      fromName: ["Sam"],
      fromEmail: ["sam"],
      replyTo: [],
      cc: [],
      bcc: [],
      fallbacks: {},
      variables: ["data.x"],
      ...template,
    },
    [],
    publicUrl,
  );

const variable = [{ variable: "data.x", as: "line" as const }];
const composed = (name: string) => composedOf({ fromEmail: variable }, name);

it("a mail has addresses, subject, both bodies and headers", async () => {
  const team = await createTeam({ samples: true });
  const mail = { transactionalId: "tpl_welcome", email: "ada@example.com" };
  await team.post("/transactional", {
    ...mail,
    dataVariables: { name: "Ada", company: 'A <b> "c"\r\nBcc: x@example.com' },
  });
  const mails = async () => (await request("GET", "/inbox.json")).json.mails as { id: string }[];
  const [{ id } = { id: "" }] = await vi.waitFor(async () => {
    const captured = await mails();
    expect(captured).toHaveLength(1);
    return captured;
  });
  const { json } = await request("GET", `/inbox/${id}.json`);
  const subject = 'Welcome to A <b> "c" Bcc: x@example.com';
  expect(json).toMatchObject({ id, team: "acme", to: "ada@example.com", from: "hello@mailspan.localhost", subject });
  expect(json.headers).toEqual({
    "Message-ID": `<${id}@mailspan.localhost>`,
    Date: "Sun, 01 Jan 2090 12:00:00 +0000",
    From: String.raw`"A <b> \"c\" Bcc: x@example.com" <hello@mailspan.localhost>`,
    To: "ada@example.com",
    Subject: subject,
    "MIME-Version": "1.0",
    "Auto-Submitted": "auto-generated",
    "X-Auto-Response-Suppress": "DR, RN, NRN, OOF, AutoReply",
    "Feedback-ID": "transactional:acme:mailspan",
  });
  expect(json.html).toContain("A &lt;b&gt; &quot;c&quot;");
  expect(json.text).toContain('A <b> "c"');
});

it.each([["fine"], ["fine.too+1"], ["grüße"]])("%s may be the name of a From address", (name) => {
  expect(composed(name).from).toEqual({ name: "Sam", address: `${name}@example.com` });
});

it.each([["two words"], ["a@evil.example"], ["<x"], ["a,b"], [""], [".a"], ["x".repeat(65)], ["a>\r\nBcc: b"]])(
  "a mail whose From address would begin with %j is not composed",
  (name) => {
    expect(() => composed(name)).toThrow("which is no email address");
  },
);

it("a Reply-To is there when the address is one after filling", () => {
  const replyTo = (to: string) => composedOf({ replyTo: variable }, to).replyTo;
  expect(replyTo("help@example.com")).toEqual([{ address: "help@example.com" }]);
  for (const wrong of ["", "no address", "a@b.co, c@d.co", "a@b.co\r\nBcc: c@d.co"]) expect(replyTo(wrong)).toEqual([]);
});

it("copies go to the Cc and Bcc of the template, if their addresses are not suppressed", () => {
  const template = { cc: variable, bcc: ["audit@example.com"] };
  const to = [{ address: "a@b.co" }];
  const [cc, bcc] = [[{ address: "boss@example.com" }], [{ address: "audit@example.com" }]];
  expect(composedOf(template, "boss@example.com")).toMatchObject({ to, cc, bcc });
  expect(composedOf(template, "boss@example.com", ["boss@example.com"])).toMatchObject({
    to,
    cc: [],
    bcc,
  });
  expect(composedOf(template)).toMatchObject({ to, cc: [], bcc });
  expect(composedOf(template, "boss@example.com", [], true)).toMatchObject({ to, cc: [], bcc: [] });
  expect(composedOf({})).toMatchObject({ to, cc: [], bcc: [] });
});

it.each(["cc", "bcc"] as const)("a mail whose %s would be no address is not composed", (field) => {
  for (const wrong of ["no address", "a@b.co, c@d.co", "a@b.co\r\nBcc: c@d.co"])
    expect(() => composedOf({ [field]: variable }, wrong)).toThrow(`Check ${field}Email and its variables.`);
});

it("a From name may contain any text", () => {
  const from = (name: string) => composedOf({ fromName: [name] }).from.name;
  expect(from('Sam "S", Inc. \\')).toBe('Sam "S", Inc. \\');
  expect(from("")).toBe("");
});

it("a From name with a line break is not composed: nothing may start a new header", () => {
  expect(() => composedOf({ fromName: ["Sam\r\nBcc: x@example.com"] })).toThrow("from.name has the control character");
});

it.each([
  ["https://mail.example.com", '<img src="https://mail.example.com/icons/github-808080.png" alt="GitHub">'],
  ["https://new.example.com", '<img src="https://new.example.com/icons/github-808080.png" alt="GitHub">'],
  [undefined, "GitHub"],
])("a compiled mail has its icons at the address that the Worker has now: %s", (publicUrl, shown) => {
  const picture = { before: '<img src="', after: '/icons/github-808080.png" alt="GitHub">', otherwise: "GitHub" };
  const mail = composedOf({ html: ["<p>", picture, "</p>"] }, "", [], false, publicUrl);
  expect(mail.html).toBe(`<p>${shown}</p>`);
});
