import { beforeEach, describe, expect, it } from "vitest";
import { createTeam, isolated, type Team } from "../../bench.ts";

isolated();

const data = { name: "Ada", amount: "12.00 €", description: "Pro", date: "1 May", reference: "R-1" };
const mail = { transactionalId: "tpl_receipt", email: "ada@example.com", dataVariables: data };

let team: Team;
beforeEach(async () => {
  team = await createTeam({ samples: true });
});

describe("a transactional send", () => {
  it("is stored with its own Message-ID before the answer", async () => {
    const { status, json } = await team.post("/transactional", { ...mail, dataVariables: { ...data, unused: [1] } });
    expect([status, json]).toEqual([200, { success: true, id: expect.stringMatching(/^snd_/) }]);
    const [row] = await team.rows("SELECT id, recipient, message_id, revision FROM sends");
    expect(row).toMatchObject({
      recipient: "ada@example.com",
      id: expect.stringMatching(/^snd_[0-9a-z]+_[0-9a-z]{20}$/),
    });
    expect(row?.message_id).toBe(`<${row?.id}@mailspan.localhost>`);
  });

  it("reaches an unsubscribed contact", async () => {
    await team.post("/contacts/create", { email: mail.email, subscribed: false });
    await team.post("/transactional", mail);
    expect(await team.rows("SELECT count(*) AS n FROM sends WHERE state != 'not_sent'")).toEqual([{ n: 1 }]);
  });

  it("to a suppressed address, in any spelling, is accepted and recorded as not sent, without its values", async () => {
    await team.run("INSERT INTO suppressions (email_key, reason, at) VALUES ('ada@example.com', 'bounce', 0)");
    const { status, json } = await team.post("/transactional", { ...mail, email: "ADA@Example.com" });
    expect([status, json]).toEqual([200, { success: true, id: expect.stringMatching(/^snd_/) }]);
    expect(await team.rows("SELECT state, error, variables, attempts, due FROM sends")).toEqual([
      { state: "not_sent", error: "suppressed", variables: null, attempts: 0, due: null },
    ]);
  });

  it("adds a new contact to the audience only on request, and changes no existing contact", async () => {
    await team.post("/transactional", mail);
    await team.post("/transactional", { ...mail, addToAudience: false });
    expect(await team.find({ email: mail.email })).toBeUndefined();
    await team.post("/transactional", { ...mail, addToAudience: true });
    expect(await team.find({ email: mail.email })).toMatchObject({ subscribed: true, source: "API" });

    await team.put("/contacts/update", { email: mail.email, subscribed: false, firstName: "Ada" });
    const before = await team.rows("SELECT * FROM contacts");
    expect((await team.post("/transactional", { ...mail, addToAudience: true })).status).toBe(200);
    expect(await team.rows("SELECT * FROM contacts")).toEqual(before);
  });

  it("is refused if its values make a From address that is none", async () => {
    const fromEmail = JSON.stringify([{ variable: "data.reference", as: "line" }]);
    await team.run(`UPDATE message_revisions SET compiled = json_set(compiled, '$.fromEmail', json(?))`, fromEmail);
    const { status, json } = await team.post("/transactional", {
      ...mail,
      dataVariables: { ...data, reference: "ceo@bank.example>," },
    });
    const message = expect.stringContaining('"ceo@bank.example>,@mailspan.localhost", which is no email address');
    expect([status, json]).toMatchObject([400, { code: "invalid_request", path: "dataVariables", message }]);
    expect(await team.rows("SELECT count(*) AS n FROM sends")).toEqual([{ n: 0 }]);
    expect((await team.post("/transactional", mail)).status).toBe(200);
  });

  it("is refused if its values make a copy's address that is none; an empty one means no copy", async () => {
    const bcc = JSON.stringify([{ variable: "data.reference", as: "line" }]);
    await team.run(`UPDATE message_revisions SET compiled = json_set(compiled, '$.bcc', json(?))`, bcc);
    const send = (reference: string) => team.post("/transactional", { ...mail, dataVariables: { ...data, reference } });
    const { status, json } = await send("no address");
    const message = expect.stringContaining(
      '"no address", which is no email address. Check bccEmail and its variables.',
    );
    expect([status, json]).toMatchObject([400, { code: "invalid_request", path: "dataVariables", message }]);
    expect([(await send("")).status, (await send("audit@example.com")).status]).toEqual([200, 200]);
  });

  it("accepts an empty list of attachments", async () => {
    expect((await team.post("/transactional", { ...mail, attachments: [] })).status).toBe(200);
  });
});

const SAMPLES = [
  "tpl_welcome",
  "tpl_magic_link",
  "tpl_password_reset",
  "tpl_security_notice",
  "tpl_invitation",
  "tpl_receipt",
  "tpl_payment_failed",
  "tpl_trial_ending",
  "tpl_cancellation",
  "tpl_ended_unpaid",
];

describe("the list", () => {
  it("has the published ones with the variables each needs", async () => {
    await team.run("UPDATE templates SET published = NULL WHERE id NOT IN ('tpl_receipt', 'tpl_magic_link')");
    const { json } = await team.get("/transactional");
    expect(json.pagination).toEqual({
      totalResults: 2,
      returnedResults: 2,
      perPage: 20,
      totalPages: 1,
      nextCursor: null,
      nextPage: null,
    });
    expect(json.data.map((item: { id: string }) => item.id)).toEqual(["tpl_magic_link", "tpl_receipt"]);
    expect(json.data[1]).toMatchObject({ name: "Receipt", lastUpdated: "2090-01-01T12:00:00.000Z" });
    expect(json.data[1].dataVariables.toSorted()).toEqual([...Object.keys(data), "company", "link"].toSorted());
  });

  it("is paged newest first, and its pages do not shift while rows are added", async () => {
    const add = (from: number, to: number) =>
      team.run(
        `INSERT INTO templates (n, id, name, published, created_at, updated_at)
         SELECT 8000000000000000 + value, 'tpl_' || value, 'T', 1, 0, 0 FROM json_each(?)`,
        JSON.stringify(Array.from({ length: to - from + 1 }, (_, i) => from + i)),
      );
    await add(4, 20);
    const seen: string[] = [];
    let path: string | null = "/v1/transactional?perPage=10";
    for (let page = 1; path !== null; page++) {
      const { json } = await team.get(path.replace(/^.*\/v1/, ""));
      seen.push(...json.data.map((item: { id: string }) => item.id));
      expect(json.pagination).toMatchObject({
        perPage: 10,
        returnedResults: page === 3 ? SAMPLES.length - 3 : 10,
        totalPages: 3,
      });
      path = json.pagination.nextPage;
      if (page === 1) await add(26, 27);
    }
    const numbered = Array.from({ length: 17 }, (_, i) => `tpl_${20 - i}`);
    expect(seen).toEqual([...numbered, ...SAMPLES]);
  });
});
