import { beforeEach, describe, expect, it, vi } from "vitest";
import { advance, createTeam, isolated, request, type Team } from "../../bench.ts";

isolated();

const content = {
  subject: "Order {data.number}",
  fromName: "Acme",
  fromEmail: "orders",
  lmx: '<Paragraph>Hello {data.name}, order {data.number} is on its way.</Paragraph><Icons><Icon name="github" href="https://a.io"/></Icons>',
};
const values = { name: "Ada", number: "7" };
const DAY = 86_400_000;

let team: Team;
let id: string;
let path: string;
beforeEach(async () => {
  team = await createTeam({ samples: true });
  const { json } = await team.post("/transactional-emails", { name: "Order shipped" });
  id = json.id;
  path = `/email-messages/${json.draftEmailMessageId}`;
  await team.post(path, content);
});

const preview = (body: object) => team.post(`${path}/preview`, { emails: ["ada@example.com"], ...body });
const sends = () => team.rows("SELECT recipient, state, preview, variables FROM sends ORDER BY n");

const mails = (count: number) =>
  vi.waitFor(async () => {
    const listed = (await request("GET", "/inbox.json")).json.mails as { id: string }[];
    expect(listed).toHaveLength(count);
    return Promise.all(listed.toReversed().map(async (mail) => (await request("GET", `/inbox/${mail.id}.json`)).json));
  });

describe("a preview", () => {
  it("really sends the draft, as the send of the published message does", async () => {
    const { status, json } = await preview({ dataVariables: values });
    expect([status, json]).toEqual([
      200,
      {
        id: path.split("/").at(-1),
        sends: [
          { id: expect.stringMatching(/^snd_[0-9a-z]+_[0-9a-z]{20}$/), email: "ada@example.com", state: "queued" },
        ],
      },
    ]);
    await mails(1);
    await team.post(`/transactional-emails/${id}/publish`, {});
    await team.post("/transactional", { transactionalId: id, email: "ada@example.com", dataVariables: values });
    const [first, second] = await mails(2);
    expect(first.id).toBe(json.sends[0].id);
    const same = ({ subject, from, to, html, text, team: slug }: Record<string, string>) =>
      JSON.stringify([subject, from, to, html, text, slug]);
    expect(same(first)).toBe(same(second));
    expect(first.html).toContain("Hello Ada, order 7 is on its way.");
    expect(first.html).toContain('<img src="https://mail.example.com/icons/github-808080.png" alt="GitHub"');
    expect((await preview({ dataVariables: values })).status).toBe(200);
  });

  it("of a campaign ends with the footer of the team, and nobody unsubscribes by it", async () => {
    await team.admin("POST", "", { postalAddress: "1 Main Street", footer: "You asked for it." });
    const { emailMessageId } = (await team.post("/campaigns", { name: "News" })).json;
    const lmx =
      '<Paragraph>Hello {contact.firstName}, <Link href="https://a.io/" notrack="true">look</Link> {system.unsubscribe_link}</Paragraph>';
    await team.post(`/email-messages/${emailMessageId}`, { subject: "News", fromName: "Acme", fromEmail: "news", lmx });
    const asked = { emails: ["ada@example.com"], contactProperties: { firstName: "Ada" } };
    expect((await team.post(`/email-messages/${emailMessageId}/preview`, asked)).status).toBe(200);
    const [mail] = await mails(1);
    expect(mail.html).toMatch(/You asked for it\.<br>[^<]+<br>1 Main Street<br><a href="#"[^>]*>Unsubscribe<\/a>/);
    expect(mail.html).toContain('<a href="https://a.io/" target');
    expect(mail.text).toMatch(
      /^Hello Ada, look: https:\/\/a\.io\/ #\n\nYou asked for it\.\n.*\n1 Main Street\nUnsubscribe: #\nEmail preferences: #\n$/,
    );
    const { json } = await team.admin("GET", `/sends/${mail.id}/content`);
    expect(json).toMatchObject({ text: mail.text.replace("Ada", "{contact.firstName}") });
    expect(json.html).toBe(mail.html.replace("Ada", "{contact.firstName}"));
  });

  it("is marked in its row; other sends are not", async () => {
    await preview({ dataVariables: values });
    await team.post("/transactional", {
      transactionalId: "tpl_welcome",
      email: "bo@example.com",
      dataVariables: { name: "Bo" },
    });
    expect((await sends()).map(({ recipient, preview }) => [recipient, preview])).toEqual([
      ["ada@example.com", 1],
      ["bo@example.com", 0],
    ]);
  });

  it("has one row for each address, and one for an address that is named twice", async () => {
    await team.run("INSERT INTO suppressions (email_key, reason, at) VALUES ('bo@example.com', 'bounce', 0)");
    const { json } = await preview({
      emails: ["ada@example.com", "bo@example.com", "ADA@example.com"],
      dataVariables: values,
    });
    expect(json.sends.map(({ email, state }: Record<string, string>) => [email, state])).toEqual([
      ["ada@example.com", "queued"],
      ["bo@example.com", "not_sent"],
    ]);
    expect((await sends()).map(({ recipient, state }) => [recipient, state === "not_sent"])).toEqual([
      ["ada@example.com", false],
      ["bo@example.com", true],
    ]);
  });

  it("fills variables of every namespace", async () => {
    const valueParts = ["contact.plan", "event.total", "data.name"].map((variable) => ({ variable, as: "line" }));
    await team.run(
      "UPDATE message_revisions SET compiled = json_set(compiled, '$.subject', json(?), '$.variables', json(?), '$.fallbacks', json(?))",
      JSON.stringify(valueParts.flatMap((part) => [part, "; "])),
      JSON.stringify(valueParts.map(({ variable }) => variable)),
      JSON.stringify({ "contact.plan": "free" }),
    );
    const refused = await preview({ contactProperties: {}, dataVariables: { total: 1 } });
    expect([refused.status, refused.json]).toMatchObject([
      400,
      {
        code: "missing_variables",
        path: "eventProperties",
        message:
          "No value for event.total, data.name. Give values in eventProperties and dataVariables, or fallbacks in the message. Names are case-sensitive.",
      },
    ]);
    await preview({
      contactProperties: { plan: "pro" },
      eventProperties: { total: 12.5 },
      dataVariables: { name: true },
    });
    await preview({ eventProperties: { total: 0 }, dataVariables: { name: "Ada" } });
    expect((await mails(2)).map(({ subject }) => subject)).toEqual(["pro; 12.5; true; ", "free; 0; Ada; "]);
  });

  it("counts 100 mails in 24 hours, all or none of a request", async () => {
    await team.run(
      `INSERT INTO sends (id, class, revision, recipient, recipient_key, message_id, state, attempts, created_at, settled_at, preview)
       SELECT 'snd_' || value, 'transactional', 1, 'x', 'x', '', 'sent', 1, ?, ?, 1 FROM json_each(?)`,
      Date.now() - DAY + 60_000,
      0,
      JSON.stringify(Array.from({ length: 97 }, (_, i) => i)),
    );
    const emails = ["a", "b", "c", "d"].map((name) => `${name}@example.com`);
    const refused = await preview({ emails, dataVariables: values });
    const free = new Date(Date.now() + 60_000 - 200).toISOString();
    expect([refused.status, refused.json]).toMatchObject([
      429,
      {
        success: false,
        code: "preview_quota_used",
        path: "emails",
        message: expect.stringMatching(
          /^The team may send 100 previews in 24 hours, and 3 are left\. Try again after /,
        ),
      },
    ]);
    expect(Math.abs(Date.parse(/after (\S+),/.exec(refused.json.message)?.[1] ?? "") - Date.parse(free))).toBeLessThan(
      500,
    );
    expect(refused.headers.get("Retry-After")).toBe("60");
    expect(await team.rows("SELECT count(*) AS n FROM sends")).toEqual([{ n: 97 }]);
    expect((await preview({ emails: emails.slice(1), dataVariables: values })).status).toBe(200);
    expect((await preview({ dataVariables: values })).json.message).toMatch(/ 0 are left\. Try again after \S+Z\.$/);
    advance(60_000);
    expect((await preview({ emails, dataVariables: values })).status).toBe(200);
    const mail = { transactionalId: "tpl_welcome", email: "bo@example.com", dataVariables: { name: "Bo" } };
    expect((await team.post("/transactional", mail)).status).toBe(200);
  });

  it.each([
    [{}, 400, "missing_data_variables", "dataVariables"],
    [{ dataVariables: { ...values, name: null } }, 400, "missing_data_variables", "dataVariables"],
    [{ dataVariables: { ...values, name: ["a"] } }, 400, "invalid_request", "dataVariables.name"],
    [{ dataVariables: { ...values, name: "x".repeat(256_001) } }, 400, "invalid_request", "dataVariables"],
    [{ dataVariables: values, emails: [] }, 400, "invalid_request", "emails"],
    [{ dataVariables: values, emails: "ada@example.com" }, 400, "invalid_request", "emails"],
    [{ dataVariables: values, emails: ["ada@example.com", "ada"] }, 400, "invalid_request", "emails.1"],
    [{ dataVariables: values, emails: Array(11).fill("ada@example.com") }, 400, "invalid_request", "emails"],
  ])("that is not valid sends nothing: %j", async (body, status, code, field) => {
    const before = await team.everything();
    const answer = await preview(body);
    expect([answer.status, answer.json]).toMatchObject([status, { success: false, code, path: field }]);
    expect(answer.json.message).toEqual(expect.any(String));
    expect(await team.everything()).toBe(before);
  });

  it("needs a From address", async () => {
    await team.post(path, { fromEmail: "" });
    expect((await preview({ dataVariables: values })).json).toMatchObject({
      code: "invalid_request",
      path: "fromEmail",
      message: expect.stringContaining('fromEmail: The From address of this mail would be "@mailspan.localhost"'),
    });
    await team.post(path, { fromEmail: "{data.name}" });
    const answer = await preview({ dataVariables: { ...values, name: "a b" } });
    expect([answer.status, answer.json.path]).toEqual([400, "dataVariables"]);
  });

  it("of another team's message, or of none, is 404", async () => {
    const other = await createTeam({ id: "other" });
    const body = { emails: ["ada@example.com"], dataVariables: values };
    for (const at of [path, "/email-messages/msg_none"]) {
      const { status, json } = await other.post(`${at}/preview`, body);
      expect([status, json.code, json.path]).toEqual([404, "email_message_not_found", "emailMessageId"]);
    }
  });
});

describe("a fallback", () => {
  it.each([
    ["there", undefined, "there"],
    ["there", null, "there"],
    ["there", "", "there"],
    ["there", " \n", "there"],
    ["there", "Ada", "Ada"],
    ["there", 0, "0"],
    ["there", false, "false"],
    ["", undefined, ""],
    ["", "Ada", "Ada"],
    [null, "", ""],
  ])("%j with the value %j gives %j, in a preview and in a send", async (fallback, given, filled) => {
    await team.post(path, { subject: "({data.name})", dataVariablesFallbacks: { name: fallback } });
    const dataVariables = { number: "7", ...(given === undefined ? {} : { name: given }) };
    expect((await preview({ dataVariables })).status).toBe(200);
    await mails(1);
    await team.post(`/transactional-emails/${id}/publish`, {});
    const sent = await team.post("/transactional", { transactionalId: id, email: "ada@example.com", dataVariables });
    expect(sent.status).toBe(200);
    expect((await mails(2)).map(({ subject }) => subject)).toEqual([`(${filled})`, `(${filled})`]);
  });
});
