import { expect, it, vi } from "vitest";
import { composeMail } from "../../../../../src/email/workspace/sending/compose.ts";
import { createTeam, isolated, request } from "../../bench.ts";

isolated();

/** A mail whose template takes the name of its From address from a variable. */
const composed = (name: string) => {
  const parts = { subject: [], html: [], text: [], fromName: ["Sam"], variables: ["data.from"] };
  const row = { id: "snd_1", n: 1, revision: 1, recipient: "a@b.co", attempts: 1, created_at: 0 };
  return composeMail(
    "acme",
    { ...row, message_id: "<snd_1@example.com>", variables: JSON.stringify({ "data.from": name }) },
    { ...parts, fromEmail: [{ variable: "data.from", as: "line" }] },
  );
};

it("a mail has addresses, subject, both bodies and headers", async () => {
  const team = await createTeam({ samples: true });
  const mail = { transactionalId: "tpl_welcome", email: "ada@example.com" };
  await team.post("/transactional", { ...mail, dataVariables: { name: 'A <b> "c"\r\nBcc: x@example.com' } });
  const mails = async () => (await request("GET", "/inbox.json")).json.mails as { id: string }[];
  const [{ id } = { id: "" }] = await vi.waitFor(async () => {
    const captured = await mails();
    expect(captured).toHaveLength(1);
    return captured;
  });
  const { json } = await request("GET", `/inbox/${id}.json`);
  const subject = 'Welcome to Acme, A <b> "c" Bcc: x@example.com';
  expect(json).toMatchObject({ id, team: "acme", to: "ada@example.com", from: "hello@mailspan.localhost", subject });
  expect(json.headers).toEqual({
    "Message-ID": `<${id}@mailspan.localhost>`,
    Date: "Sun, 01 Jan 2090 12:00:00 +0000",
    From: '"Sam from Acme" <hello@mailspan.localhost>',
    To: "ada@example.com",
    Subject: subject,
    "MIME-Version": "1.0",
    "Auto-Submitted": "auto-generated",
  });
  expect(json.html).toContain("A &lt;b&gt; &quot;c&quot;");
  expect(json.text).toContain('A <b> "c"');
});

it.each([["fine"], ["fine.too+1"], ["grüße"]])("%s may be the name of a From address", (name) => {
  expect(composed(name).from).toBe(`${name}@example.com`);
});

it.each([["two words"], ["a@evil.example"], ["<x"], ["a,b"], [""], [".a"], ["x".repeat(65)], ["a>\r\nBcc: b"]])(
  "a mail whose From address would begin with %j is not composed",
  (name) => {
    expect(() => composed(name)).toThrow("which is no email address");
  },
);

it("a Reply-To header is there when the address is one after filling", () => {
  const parts = { subject: [], html: [], text: [], fromName: [], fromEmail: ["sam"], variables: ["data.to"] };
  const row = { id: "snd_1", n: 1, revision: 1, recipient: "a@b.co", attempts: 1, created_at: 0 };
  const header = (to: string) =>
    composeMail(
      "acme",
      { ...row, message_id: "<snd_1@example.com>", variables: JSON.stringify({ "data.to": to }) },
      { ...parts, replyTo: [{ variable: "data.to", as: "line" }] },
    ).headers["Reply-To"];
  expect(header("help@example.com")).toBe("help@example.com");
  for (const wrong of ["", "no address", "a@b.co, c@d.co", "a@b.co\r\nBcc: c@d.co"])
    expect(header(wrong)).toBeUndefined();
});

it("a From name may contain any text", () => {
  const parts = { subject: [], html: [], text: [], fromEmail: ["sam"], variables: [] };
  const row = { id: "snd_1", n: 1, revision: 1, recipient: "a@b.co", attempts: 1, created_at: 0, variables: "{}" };
  const from = (name: string) =>
    composeMail("acme", { ...row, message_id: "<snd_1@example.com>" }, { ...parts, fromName: [name] }).headers.From;
  expect(from('Sam "S", Inc. \\')).toBe('"Sam \\"S\\", Inc. \\\\" <sam@example.com>');
  expect(from("")).toBe("sam@example.com");
});
