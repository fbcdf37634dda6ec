import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";

isolated();

const DAY_MS = 86_400_000;

let team: Team;
beforeEach(async () => {
  team = await createTeam();
});

const publish = async (lmx: string, subject = "Receipt") => {
  const { id, draftEmailMessageId } = (await team.post("/transactional-emails", { name: subject })).json;
  const content = { subject, fromName: "Acme", fromEmail: "team", lmx };
  expect((await team.post(`/email-messages/${draftEmailMessageId}`, content)).status).toBe(200);
  expect((await team.post(`/transactional-emails/${id}/publish`, {})).status).toBe(200);
  return id as string;
};
const keep = (id: string, keepDays: unknown) =>
  team.admin("POST", `/transactional-emails/${id}/kept-content`, { keepDays });
const send = async (transactionalId: string, dataVariables: object, email = "ada@example.com") => {
  const { status, json } = await team.post("/transactional", { transactionalId, email, dataVariables });
  expect(status, JSON.stringify(json)).toBe(200);
  await team.run(
    "UPDATE sends SET state = 'sent', due = NULL, variables = NULL, settled_at = created_at WHERE id = ?",
    json.id,
  );
  return json.id as string;
};
const contentOf = async (id: string) => (await team.admin("GET", `/sends/${id}/content`)).json;
const RECEIPT = "<Paragraph>You paid {data.amount} for {data.plan}.</Paragraph>";

describe("the content of transactional mail", () => {
  it("is kept for as many days as a person said, and then no more", async () => {
    const id = await publish(RECEIPT, "Receipt {data.plan}");
    const before = await send(id, { amount: "9 €", plan: "Pro" });
    expect((await keep(id, 3)).json).toEqual({ id, keepDays: 3, oneTimeVariables: [] });
    const mail = await send(id, { amount: "12 €", plan: "Team" });
    expect(await contentOf(before)).toMatchObject({ values: "erased", keptUntil: null });
    const shown = await contentOf(mail);
    expect(shown).toMatchObject({ values: "stored", note: null, keptUntil: expect.any(String) });
    expect(shown.text).toContain("You paid 12 € for Team.");
    expect(shown.headers).toContainEqual({ name: "Subject", value: "Receipt Team" });
    advance(3 * DAY_MS + 60_000);
    await runAlarm(team.stub);
    expect(await contentOf(mail)).toMatchObject({ values: "erased", keptUntil: null });
    expect(await team.rows("SELECT * FROM kept_values")).toEqual([]);
  });

  it("ends earlier when the days become fewer", async () => {
    const id = await publish(RECEIPT);
    await keep(id, 30);
    const mail = await send(id, { amount: "1", plan: "Pro" });
    expect(await contentOf(mail)).toMatchObject({ values: "stored" });
    expect((await keep(id, 0)).json.keepDays).toBe(0);
    expect(await contentOf(mail)).toMatchObject({ values: "erased", keptUntil: null });
    advance(1_000);
    await runAlarm(team.stub);
    expect(await team.rows("SELECT * FROM kept_values")).toEqual([]);
    expect((await team.admin("GET", `/transactional-emails/${id}/kept-content`)).json.keepDays).toBe(0);
  });

  it("is never kept where it lets a person in or works once", async () => {
    const id = await publish(
      '<Paragraph>{data.code}</Paragraph><Button href="{data.resetLink}">Reset</Button>',
      "Reset",
    );
    const { status, json } = await keep(id, 1);
    expect([status, json.code, json.path]).toEqual([409, "one_time_mail", "keepDays"]);
    expect(json.message).toContain("code, resetLink");
    const invoice = await publish('<Paragraph><Link href="{data.invoice}">Bill</Link></Paragraph>', "Bill");
    expect((await keep(invoice, 5)).status).toBe(200);
    const plain = await send(invoice, { invoice: "https://acme.example/invoices/7" });
    expect(await contentOf(plain)).toMatchObject({ values: "stored", note: null });
    const lets = await send(invoice, { invoice: "https://acme.example/login/9f8e7d" });
    const shown = await contentOf(lets);
    expect(shown.note).toContain("[not kept: one-time]");
    expect(JSON.stringify(await team.rows("SELECT data FROM kept_values"))).not.toContain("9f8e7d");
    for (const days of [-1, 31, 1.5, "x"]) expect((await keep(invoice, days)).json).toMatchObject({ path: "keepDays" });
    expect((await keep("tpl_none", 1)).status).toBe(404);
  });

  it("has no value that looks as if it works once, whatever its name is", async () => {
    const id = await publish(
      "<Paragraph>{data.first} and {data.second} for {data.plan}</Paragraph>",
      "Hi {data.first}",
    );
    await keep(id, 1);
    const mail = await send(id, { first: "839201", second: 12345678, plan: "Pro" });
    const { text, headers } = await contentOf(mail);
    expect(text).toContain("[not kept: one-time] and [not kept: one-time] for Pro");
    expect(headers).toContainEqual({ name: "Subject", value: "Hi [not kept: one-time]" });
  });

  it("is erased with the person that it went to, and with a person that it names", async () => {
    const id = await publish("<Paragraph>{data.who} paid {data.amount}.</Paragraph>");
    await keep(id, 10);
    await send(id, { who: "Ada", amount: "1" });
    await send(id, { who: "ada@example.com", amount: "2" }, "boss@example.com");
    const other = await send(id, { who: "Eve", amount: "3" }, "eve@example.com");
    const { status, text } = await team.admin("POST", "/erase", { emails: ["ada@example.com"] });
    expect(status, text).toBe(200);
    expect(await team.rows("SELECT s.id FROM kept_values k JOIN sends s ON s.n = k.send")).toEqual([{ id: other }]);
  });
});

it("sends are found by words of their subject, in any case", async () => {
  const receipt = await publish(RECEIPT, "Your RÉCEIPT for {data.plan}");
  const other = await publish("<Paragraph>Hi</Paragraph>", "Welcome");
  const sent = await send(receipt, { amount: "1", plan: "Pro" });
  const welcome = await send(other, {});
  const found = async (subject: string) => {
    const { status, json } = await team.admin("GET", `/sends?${new URLSearchParams({ subject })}`);
    expect(status).toBe(200);
    return json.data.map(({ id }: { id: string }) => id);
  };
  expect(await found("re\u0301ceipt for")).toEqual([sent]);
  expect(await found("WELCOME")).toEqual([welcome]);
  expect(await found("nothing")).toEqual([]);
  expect(await found("for pro")).toEqual([]);
  await keep(receipt, 1);
  const kept = await send(receipt, { amount: "1", plan: "PRO 4711" });
  await send(receipt, { amount: "1", plan: "Team" });
  expect(await found("for pro 4711")).toEqual([kept]);
  expect(await found("4711")).toEqual([kept]);
  await keep(receipt, 0);
  expect(await found("4711")).toEqual([]);
});
