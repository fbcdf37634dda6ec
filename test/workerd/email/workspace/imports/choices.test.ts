import { describe, expect, it } from "vitest";
import { createTeam, isolated, START, type Team } from "../../bench.ts";
import { file, importFile } from "./bench.ts";

isolated();

const contactOf = async (team: Team, email: string) => (await team.get(`/contacts/find?email=${email}`)).json[0];
const suppressions = async (team: Team) =>
  (await team.admin("GET", "/suppressions")).json.data.map(
    ({ email, reason, since }: Record<string, string>) => [email, reason, since] as const,
  );
const outcomes = (outcome: string) =>
  outcome
    .trim()
    .split("\r\n")
    .slice(1)
    .map((line) => line.split(",").slice(2).join(","));

describe("a start", () => {
  const refused = async (csv: string, settings: object = {}, query = "") => {
    const team = await createTeam();
    const { answer } = await importFile(team, csv, settings, query);
    return [answer.code, answer.path];
  };

  it("is refused while a column that says who has unsubscribed becomes something else", async () => {
    const csv = "email,Unsubscribed,Status\na@example.com,true,active\n";
    const team = await createTeam();
    await team.post("/contacts/properties", { name: "gone", type: "string" });
    const { json } = await file("", csv);
    expect(json.consent).toEqual([
      {
        column: "Unsubscribed",
        to: "unsubscribed",
        says: 1,
        doubtful: false,
        cells: [{ cell: "true", rows: 1, says: "no" }],
      },
      { column: "Status", to: "subscribed", says: 0, doubtful: false, cells: [] },
    ]);
    const start = (body: object) => team.admin("POST", `/imports/${json.id}/start`, body);
    const mapping = { email: "email", Unsubscribed: "gone" };
    expect((await start({ mapping })).json).toMatchObject({
      code: "consent_ignored",
      path: "mapping.Unsubscribed",
      message: expect.stringContaining("1 of the file's cells"),
    });
    expect((await start({ mapping, ignoreConsent: ["Unsubscribe"] })).json.path).toBe("ignoreConsent");
    expect((await start({ mapping, ignoreConsent: ["Status"] })).json.code).toBe("consent_ignored");
    expect((await start({ mapping, ignoreConsent: ["Unsubscribed"] })).status).toBe(200);
  });

  it.each([
    ["Unsubscribed from all email", "subscribed"],
    ["Accepts marketing", "unsubscribed"],
  ])("is refused while a mapping turns the answers round: %s as %s", async (column, to) => {
    const csv = `email,${column}\na@example.com,true\nb@example.com,false\n`;
    const mapping = { email: "email", [column]: to };
    expect(await refused(csv, { mapping })).toEqual(["consent_ignored", `mapping.${column}`]);
    expect(await refused(csv, { mapping: { email: "email", [column]: `${to}:false` } })).toEqual([
      undefined,
      undefined,
    ]);
    expect(await refused(csv, { mapping, ignoreConsent: [column] })).toEqual([undefined, undefined]);
  });

  it("is refused for a no far behind the first rows, of a file and of rows in parts", async () => {
    const team = await createTeam();
    const rows = Array.from({ length: 900 }, (_, i) => [`p${i}@example.com`, i === 700 ? "unsubscribed" : `gold ${i}`]);
    const { json } = await file("", `email,Level\n${rows.map((row) => row.join(",")).join("\n")}\n`);
    const mapping = { email: "email" };
    expect((await team.admin("POST", `/imports/${json.id}/start`, { mapping })).json.code).toBe("consent_ignored");
    const begun = { name: "a.csv", encoding: "utf-8", delimiter: ",", columns: ["email", "Level"] };
    const more = { preview: rows.slice(0, 20), bytes: 10_000, fingerprint: "0".repeat(64) };
    const { json: parts } = await team.admin("POST", "/imports/begin", { ...begun, ...more });
    for (const first of [1, 451, 451]) {
      const sent = rows.slice(first - 1, first + 449).map((cells, index) => ({ line: first + index + 1, cells }));
      await team.admin("POST", `/imports/${parts.id}/rows`, { first, rows: sent });
    }
    await team.admin("POST", `/imports/${parts.id}/complete`, { rows: 900 });
    expect((await team.admin("GET", `/imports/${parts.id}`)).json.consent).toMatchObject([
      { column: "Level", to: null, says: 1, cells: [{ cell: "unsubscribed", rows: 1, says: "no" }] },
    ]);
    expect((await team.admin("POST", `/imports/${parts.id}/start`, { mapping })).json.code).toBe("consent_ignored");
  });

  it("is refused while a word of a late row is none that is known, and names it with its rows", async () => {
    const team = await createTeam();
    const states = [...Array(60).fill("active"), "bounced", "cancelled", "VIP", "VIP"];
    const { json } = await file(
      "",
      `email,Status\n${states.map((state, i) => `p${i}@example.com,${state}`).join("\n")}`,
    );
    const start = (mapping: object) => team.admin("POST", `/imports/${json.id}/start`, { mapping });
    expect(json.mapping).toEqual({ email: "email", Status: null });
    const refusal = (await start(json.mapping)).json;
    expect(refusal).toMatchObject({ code: "consent_ignored", path: "mapping.Status" });
    expect(refusal.message).toContain('in 2 of the file\'s cells, such as "bounced" in 1 row');
    expect(refusal.message).toContain('Map it to "unsubscribed:bounced|cancelled"');
    const lossy = await start({ email: "email", Status: "unsubscribed:bounced" });
    expect(lossy.json.message).toContain('in 1 of the file\'s cells, such as "cancelled"');
    expect((await start({ email: "email", Status: "unsubscribed:bounced|cancelled" })).status).toBe(200);
    const consent = await file("", "email,Marketing consent\na@example.com,Maybe\n");
    const asked = await team.admin("POST", `/imports/${consent.json.id}/start`, { mapping: { email: "email" } });
    expect(asked.json.message).toContain('may say who gets no mail, and "maybe" in 1 row is no known word for it');
  });

  it.each([
    ["Unsubscribed", "true", "false", "unsubscribed:xyz"],
    ["Status", "unsubscribed", "active", "subscribed:unsubscribed|active"],
    ["subscribed_to_emails", "false", "true", "list:"],
    ["Tag", "unsubscribed", "vip", "tag"],
    ["State", "cleaned", "active", "unsubscribed"],
  ])(
    "is refused while a mapping leaves out cells that say no, or turns them round: %s",
    async (column, no, yes, to) => {
      const team = await createTeam();
      await team.post("/contacts/properties", { name: "tag", type: "string" });
      const list = (await team.admin("POST", "/lists", { name: "News" })).json.id;
      const mapping = { email: "email", [column]: to === "list:" ? `list:${list}` : to };
      const { json } = await file("", `email,${column}\na@example.com,${no}\nb@example.com,${yes}\n`);
      const start = (body: object) => team.admin("POST", `/imports/${json.id}/start`, body);
      expect((await start({ mapping })).json).toMatchObject({ code: "consent_ignored", path: `mapping.${column}` });
      expect((await start({ mapping, ignoreConsent: [column] })).status).toBe(200);
    },
  );

  it("is refused while the file's name says no, and nothing else does", async () => {
    const csv = "email\na@example.com\n";
    const query = "?name=unsubscribed.csv";
    expect(await refused(csv, {}, query)).toEqual(["consent_ignored", "allUnsubscribed"]);
    expect(await refused(csv, { ignoreConsent: ["unsubscribed.csv"] }, query)).toEqual([undefined, undefined]);
  });

  it("is refused while dates may mean two things, and takes the choice of a person or a proof", async () => {
    const csv = "email,since\na@example.com,01/02/2024\nb@example.com,03/04/2024\n";
    const createProperties = { since: "date" };
    const mapping = { email: "email", since: "since" };
    const settings = { mapping, createProperties };
    expect(await refused(csv, settings)).toEqual(["ambiguous_dates", "dates.since"]);
    expect(await refused(csv, { ...settings, dates: { when: "day-first" } })).toEqual([
      "invalid_mapping",
      "dates.when",
    ]);
    expect(await refused(csv, { ...settings, dates: { since: "us" } })).toEqual(["invalid_request", "dates.since"]);
    const of = async (text: string, more: object) => {
      const team = await createTeam();
      await importFile(team, text, { ...settings, ...more });
      return (await contactOf(team, "a@example.com")).since;
    };
    expect(await of(csv, { dates: { since: "month-first" } })).toBe("2024-01-02T00:00:00.000Z");
    expect(await of(csv, { dates: { since: "day-first" } })).toBe("2024-02-01T00:00:00.000Z");
    expect(await of(`${csv}c@example.com,13/02/2024\n`, {})).toBe("2024-02-01T00:00:00.000Z");
  });

  it("is refused where no first row has an address", async () => {
    const csv = "Name,Address\nAda,1 Main St\n";
    expect(await refused(csv, { mapping: { Address: "email" } })).toEqual(["invalid_mapping", "mapping.Address"]);
    expect(await refused(csv, { mapping: { Address: "email", Name: "userId" } })).toEqual([undefined, undefined]);
  });

  it("says in a dry run what each row would become, whatever a start lacks", async () => {
    const team = await createTeam();
    const csv = "email,Unsubscribed,since\na@example.com,true,01/02/2024\n";
    const settings = { mapping: { email: "email", since: "since" }, createProperties: { since: "date" }, dryRun: true };
    const { outcome } = await importFile(team, csv, settings);
    expect(outcomes(outcome)[0]).toMatch(/^refused,since,.*need their order/);
  });
});

describe("an import", () => {
  it("of people who have all unsubscribed subscribes none, and unsubscribes those who are here", async () => {
    const team = await createTeam();
    await team.post("/contacts/create", { email: "here@example.com" });
    const csv = "email,subscribed\nhere@example.com,true\nnew@example.com,\n";
    await importFile(team, csv, { allUnsubscribed: true });
    expect((await contactOf(team, "here@example.com")).subscribed).toBe(false);
    expect((await contactOf(team, "new@example.com")).subscribed).toBe(false);
  });

  it("refuses a row for each bad cell", async () => {
    const csv = `email,score,firstName,Newsletter\na@example.com,lots,${"x".repeat(501)},yes\nb@example,1,Bob,yes\nc@example.com,1,Cy,perhaps\n`;
    const settings = {
      mapping: { email: "email", score: "score", firstName: "firstName", Newsletter: "subscribed" },
      createProperties: { score: "number" },
    };
    const strict = await importFile(await createTeam(), csv, settings);
    expect(outcomes(strict.outcome).map((line) => line.split(",")[0])).toEqual(["refused", "refused", "refused"]);
  });

  it("notes the cells that it left out", async () => {
    const team = await createTeam();
    const csv = "email,score,Newsletter\na@example.com,lots,yes\nb@example,1,yes\nc@example.com,1,perhaps\n";
    const { outcome } = await importFile(team, csv, {
      mapping: { email: "email", score: "score", Newsletter: "subscribed" },
      createProperties: { score: "number" },
      skipBadCells: true,
    });
    const [first, ...others] = outcomes(outcome);
    expect(first).toBe('created,,"score is left out: the value must be a number with a point, such as 1234.5."');
    expect(others.map((line) => line.split(",").slice(0, 2))).toEqual([
      ["refused", "email"],
      ["refused", "Newsletter"],
    ]);
    expect(await contactOf(team, "a@example.com")).not.toHaveProperty("score");
  });

  it("keeps when a contact was created, when and where it agreed, and guesses its names", async () => {
    const team = await createTeam();
    await team.post("/contacts/create", { email: "old@example.com", firstName: "Oldie" });
    const csv = [
      "email,Full name,Created at,Opt-in date,Opt-in source",
      "a@example.com,Ada Lovelace,2024-01-02 03:04:05 UTC,2-Jan-24,Landing page",
      "b@example.com,,2199-01-01,,",
      "old@example.com,Someone Else,2020-01-01,31.12.2019,Fair",
    ].join("\n");
    const { answer } = await importFile(team, csv);
    expect(answer.mapping).toEqual({
      email: "email",
      "Full name": "fullName",
      "Created at": "createdAt",
      "Opt-in date": "optInAt",
      "Opt-in source": "optInSource",
    });
    const ada = await contactOf(team, "a@example.com");
    expect(ada).toMatchObject({ firstName: "Ada", lastName: "Lovelace", createdAt: "2024-01-02T03:04:05.000Z" });
    expect(ada).not.toHaveProperty("consent");
    const shown = async (email: string) => (await team.admin("GET", `/contacts/${email}`)).json.consent;
    expect(await shown("a@example.com")).toEqual({ at: "2024-01-02T00:00:00.000Z", source: "Landing page" });
    expect(await shown("b@example.com")).toBeNull();
    expect(Date.parse((await contactOf(team, "b@example.com")).createdAt)).toBeLessThan(START + 3_600_000);
    const old = await contactOf(team, "old@example.com");
    expect(old).toMatchObject({ firstName: "Oldie", lastName: null });
    expect(Date.parse(old.createdAt)).toBeGreaterThanOrEqual(START);
    expect(await shown("old@example.com")).toEqual({ at: "2019-12-31T00:00:00.000Z", source: "Fair" });
    await team.put("/contacts/update", { email: "a@example.com", firstName: "Augusta" });
    expect(await shown("a@example.com")).toMatchObject({ source: "Landing page" });
  });
});

describe("a file of suppressed addresses", () => {
  const csv = [
    "EmailAddress,Reason,LastUpdateTime,Note",
    "a@example.com,BOUNCE,2024-01-02T03:04:05Z,x",
    "b@example.com,COMPLAINT,2024-01-02T03:04:05Z,",
    "c@example.com,,,",
    "d@example.com,unsub,2024-01-02T03:04:05Z,",
    "e@example.com,soft-bounce,2024-01-02T03:04:05Z,",
    "A@example.com,COMPLAINT,2024-01-02T03:04:05Z,",
    "old@example.com,BOUNCE,2024-01-02T03:04:05Z,",
    "nobody,BOUNCE,,",
  ].join("\n");
  const settings = {
    suppressAs: "manual",
    mapping: { EmailAddress: "email", Reason: "suppressionReason", LastUpdateTime: "suppressedAt", Note: null },
  };
  const prepared = async () => {
    const team = await createTeam();
    await team.admin("POST", "/suppressions", { email: "old@example.com" });
    await team.post("/contacts/create", { email: "d@example.com" });
    return team;
  };

  it("suppresses each address with its reason and time, and unsubscribes who has unsubscribed", async () => {
    const team = await prepared();
    const { outcome } = await importFile(team, csv, settings);
    expect(outcomes(outcome).map((line) => line.split(",")[0])).toEqual([
      "created",
      "created",
      "created",
      "updated",
      "unchanged",
      "unchanged",
      "unchanged",
      "refused",
    ]);
    const at = "2024-01-02T03:04:05.000Z";
    expect(await suppressions(team)).toEqual([
      ["a@example.com", "bounce", at],
      ["b@example.com", "complaint", at],
      ["c@example.com", "manual", expect.stringMatching(/^2090/)],
      ["old@example.com", "manual", expect.stringMatching(/^2090/)],
    ]);
    expect((await contactOf(team, "d@example.com")).subscribed).toBe(false);
    expect(await contactOf(team, "a@example.com")).toBeUndefined();
  });

  it("reads its reasons also by the mapping that the upload guessed", async () => {
    const team = await createTeam();
    const reasons = ["HardBounce", "Soft bounce", "unsub", "SpamComplaint", "who knows"];
    const rows = reasons.map((reason, index) => `p${index}@example.com,${reason}`);
    const { answer } = await importFile(team, `email,reason\n${rows.join("\n")}\n`, { suppressAs: "manual" });
    expect(answer.mapping).toEqual({ email: "email", reason: "suppressionReason" });
    expect((await suppressions(team)).map((one: string[]) => one.slice(0, 2))).toEqual([
      ["p0@example.com", "bounce"],
      ["p3@example.com", "complaint"],
      ["p4@example.com", "manual"],
    ]);
    expect((await contactOf(team, "p2@example.com")).subscribed).toBe(false);
  });

  it("writes nothing in a dry run, and says the same", async () => {
    const team = await prepared();
    const dry = await importFile(team, csv, { ...settings, dryRun: true });
    expect(await suppressions(team)).toHaveLength(1);
    const { outcome } = await importFile(team, csv, settings);
    expect(outcomes(dry.outcome)).toEqual(outcomes(outcome));
  });

  it("needs an address, and its columns need the choice", async () => {
    const team = await createTeam();
    const wrong = await importFile(team, csv, { suppressAs: "bounce", mapping: { Note: "userId" } });
    expect(wrong.answer).toMatchObject({ code: "invalid_mapping", path: "mapping" });
    const { suppressAs: _, ...contacts } = settings;
    const other = await importFile(team, csv, contacts);
    expect(other.answer).toMatchObject({ code: "invalid_mapping", path: "mapping.Reason" });
    const unknown = await importFile(team, csv, { ...settings, suppressAs: "spam" });
    expect(unknown.answer).toMatchObject({ code: "invalid_request", path: "suppressAs" });
  });

  it("that this service wrote comes back as it was", async () => {
    const team = await prepared();
    await importFile(team, csv, settings);
    const before = await suppressions(team);
    const text = (await team.admin("GET", "/suppressions.csv")).text;
    expect(text.split("\r\n")[0]).toBe("email,reason,since");
    await team.inside((sql) => sql.exec("DELETE FROM suppressions").toArray());
    const own = { email: "email", reason: "suppressionReason", since: "suppressedAt" };
    await importFile(team, text, { suppressAs: "manual", mapping: own });
    expect(await suppressions(team)).toEqual(before);
  });
});
