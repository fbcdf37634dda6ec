import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { sendTo } from "../../marketing.ts";
import { act, addContacts, addReady } from "../campaigns/ready-campaign.ts";

isolated();

const ADA = "ada@example.com";
const SENDER = { fromName: "Acme & Sons", fromEmail: "hello", replyToEmail: "support@acme.example" };
const CONTENT = { subject: "Hello", lmx: "<Paragraph>Hi</Paragraph>" };

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const set = async (settings: object) => {
  const { status, text } = await team.admin("POST", "", settings);
  expect(status, text).toBe(200);
};

const write = async (content: object = CONTENT) => {
  advance(3_000);
  const { id, draftEmailMessageId: draft } = (await team.post("/transactional-emails", { name: "Mail" })).json;
  const { status, text } = await team.post(`/email-messages/${draft}`, content);
  expect(status, text).toBe(200);
  return { id: id as string, draft: draft as string };
};
const publish = (id: string) => team.post(`/transactional-emails/${id}/publish`, {});
const send = (id: string) => team.post("/transactional", { transactionalId: id, email: ADA });
const guardian = async (draft: string) => (await team.get(`/email-messages/${draft}/guardian`)).json;

const headersOf = async (id: string) => {
  const { status, text } = await send(id);
  expect(status, text).toBe(200);
  const { headers } = await sendTo(team, ADA);
  return { from: headers.From, replyTo: headers["Reply-To"] };
};

const settle = async () => {
  for (let runs = 0; runs < 20; runs++) {
    advance(2_000);
    await runAlarm(team.stub);
    const [{ waiting } = { waiting: 0 }] = await team.rows("SELECT count(*) AS waiting FROM stale_messages");
    if (waiting === 0) return;
  }
  throw new Error("messages wait for ever");
};
const revisions = async () => (await team.rows("SELECT count(*) AS n FROM message_revisions"))[0]?.n;

describe("a message without a sender of its own", () => {
  it("has that of the team in the verdict of the guardian, when it is published and in its mails", async () => {
    await set(SENDER);
    const { id, draft } = await write();
    expect((await team.get(`/email-messages/${draft}`)).json).toMatchObject({
      fromName: "",
      fromEmail: "",
      replyToEmail: "",
    });
    expect((await guardian(draft)).errors).toEqual([]);
    expect((await publish(id)).status).toBe(200);
    expect(await headersOf(id)).toEqual({
      from: '"Acme & Sons" <hello@mailspan.localhost>',
      replyTo: "support@acme.example",
    });
  });

  it("is not ready without one", async () => {
    const { id, draft } = await write();
    expect((await guardian(draft)).errors[0].items.map(({ path }: { path: string }) => path)).toEqual([
      "fromName",
      "fromEmail",
    ]);
    expect((await publish(id)).json).toMatchObject({ code: "invalid_content", path: "fromName" });
  });

  it("has its own values where it has them", async () => {
    await set(SENDER);
    const { id } = await write({ ...CONTENT, fromName: "Billing of {data.shop}", fromEmail: "billing" });
    await publish(id);
    const named = { transactionalId: id, email: ADA, dataVariables: { shop: "Acme" } };
    expect((await team.post("/transactional", named)).status).toBe(200);
    expect((await sendTo(team, ADA)).headers).toMatchObject({
      From: '"Billing of Acme" <billing@mailspan.localhost>',
      "Reply-To": "support@acme.example",
    });
  });

  it("lets a campaign be sent, whose mails have it", async () => {
    await set({ ...SENDER, postalAddress: "1 Main Street" });
    await addContacts(team, 1);
    const { id } = await addReady(team, {}, CONTENT);
    const { status, json } = await act(team, id, "send", { expected: 1 });
    expect([status, json.problems]).toEqual([200, []]);
    advance(2_000);
    await runAlarm(team.stub);
    const mail = await sendTo(team, "p1@example.com");
    expect(mail.headers.From).toBe('"Acme & Sons" <hello@mailspan.localhost>');
  });
});

describe("a change of the team's sender", () => {
  it("reaches drafts that were written before, so that they can be published", async () => {
    const { id } = await write();
    await set(SENDER);
    expect((await publish(id)).status).toBe(200);
    expect((await headersOf(id)).from).toBe('"Acme & Sons" <hello@mailspan.localhost>');
  });

  it("reaches published messages, and leaves those with values of their own as they are", async () => {
    await set(SENDER);
    const { id } = await write();
    await publish(id);
    await write({ ...CONTENT, ...SENDER });
    const before = await revisions();
    await set({ fromName: "Globex", replyToEmail: null });
    await settle();
    expect(await headersOf(id)).toEqual({ from: '"Globex" <hello@mailspan.localhost>', replyTo: undefined });
    expect(await revisions()).toBe(Number(before) + 1);
  });

  it("does nothing when it changes nothing", async () => {
    await set(SENDER);
    await settle();
    await set({ ...SENDER, name: "New" });
    expect(await team.rows("SELECT * FROM stale_messages")).toEqual([]);
  });

  it("that takes it away leaves published messages with the sender that they had, and says so; drafts have none", async () => {
    await set(SENDER);
    const { id, draft: published } = await write();
    await publish(id);
    const other = await write();
    await set({ fromEmail: null });
    await settle();
    expect((await headersOf(id)).from).toBe('"Acme & Sons" <hello@mailspan.localhost>');
    const { warnings } = await guardian(published);
    expect(warnings).toMatchObject([
      {
        rule: "mailspan.changeNotTaken",
        items: [{ fix: expect.stringContaining("the team has no default any more: give the message one") }],
      },
    ]);
    expect((await publish(other.id)).json).toMatchObject({ code: "invalid_content", path: "fromEmail" });
    await set({ fromEmail: "again" });
    await settle();
    expect((await headersOf(id)).from).toBe('"Acme & Sons" <again@mailspan.localhost>');
    expect((await guardian(published)).warnings).toEqual([]);
  });
});

describe("the footer", () => {
  it("of the team stands above its name in marketing mail, and where a sent mail is shown", async () => {
    await set({ ...SENDER, postalAddress: "1 Main Street", footer: "You get this <mail>\nbecause you signed up." });
    await addContacts(team, 1);
    const { id } = await addReady(team);
    await act(team, id, "send", { expected: 1 });
    advance(2_000);
    await runAlarm(team.stub);
    const mail = await sendTo(team, "p1@example.com");
    const lines = "You get this &lt;mail&gt;<br>because you signed up.<br>Acme<br>1 Main Street<br>";
    expect(mail.html).toContain(lines);
    expect(mail.text).toContain("You get this <mail>\nbecause you signed up.\nAcme\n1 Main Street\n");
    const { json } = await team.admin("GET", `/sends/${mail.id}/content`);
    expect(json.html).toContain(lines);
  });
});

describe("the settings", () => {
  it("are given as they were set", async () => {
    const footer = "You signed up at acme.example.";
    expect((await team.admin("POST", "", { ...SENDER, footer })).json).toMatchObject({ ...SENDER, footer });
    const cleared = { fromName: null, fromEmail: null, replyToEmail: null, footer: null };
    expect((await team.admin("POST", "", cleared)).json).toMatchObject(cleared);
    expect((await team.admin("GET", "")).json).toMatchObject({ name: "Acme", ...cleared });
  });

  it.each([
    ["fromName", ""],
    ["fromName", "x".repeat(201)],
    ["fromName", "Acme\nInc."],
    ["fromName", "Acme\u2028Inc."],
    ["fromName", "{contact.firstName}"],
    ["fromName", "<Paragraph>"],
    ["fromName", 7],
    ["fromEmail", "hello@acme.example"],
    ["fromEmail", "hello there"],
    ["fromEmail", ".hello"],
    ["fromEmail", "x".repeat(65)],
    ["fromEmail", "{data.who}"],
    ["fromEmail", ""],
    ["replyToEmail", "support"],
    ["replyToEmail", ""],
    ["replyToEmail", "{who}@acme.example"],
    ["footer", ""],
    ["footer", "a\n".repeat(10).concat("b")],
    ["footer", "x".repeat(1_001)],
    ["footer", "Hello {contact.firstName}"],
    ["footer", "a\tb"],
  ])("are refused where one is wrong: %s, case %#", async (path, value) => {
    const { status, json } = await team.admin("POST", "", { [path]: value });
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", path]);
    expect(json.message.length).toBeGreaterThan(10);
    expect((await team.admin("GET", "")).json[path]).toBeNull();
  });
});
