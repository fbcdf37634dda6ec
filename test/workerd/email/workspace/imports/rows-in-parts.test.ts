import { describe, expect, it } from "vitest";
import { DAY_MS } from "../../../../../src/lib/util/dates.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../bench.ts";
import { file, finished } from "./bench.ts";

isolated();

const FILE = {
  name: "people.csv",
  encoding: "utf-8",
  delimiter: ",",
  columns: ["E-Mail", "First name"],
  bytes: 5_000,
  preview: [["p1@example.com", "Person 1"]],
  fingerprint: "a".repeat(64),
};
const rowsFrom = (first: number, count: number) =>
  [...Array(count).keys()].map((index) => ({
    line: first + index + 1,
    cells: [`p${first + index}@example.com`, `Person ${first + index}`],
  }));
const begin = async (team: Team): Promise<string> => (await team.admin("POST", "/imports/begin", FILE)).json.id;
const add = (team: Team, id: string, first: number, count: number) =>
  team.admin("POST", `/imports/${id}/rows`, { first, rows: rowsFrom(first, count) });
const complete = (team: Team, id: string, rows: number) => team.admin("POST", `/imports/${id}/complete`, { rows });
const mapping = { "E-Mail": "email", "First name": "firstName" };
const contacts = (team: Team) =>
  team.inside((sql) => sql.exec<{ count: number }>("SELECT count(*) AS count FROM contacts").one().count);

describe("rows that are sent in parts", () => {
  it("make the same import as a file, whatever is sent twice", async () => {
    const team = await createTeam();
    const begun = await team.admin("POST", "/imports/begin", FILE);
    expect(begun.status).toBe(201);
    expect(begun.json).toMatchObject({
      state: "uploading",
      rows: 0,
      columns: FILE.columns,
      mapping,
      preview: FILE.preview,
      file: { bytes: 5_000, fingerprint: "a".repeat(64) },
    });
    const { id } = begun.json;
    expect((await add(team, id, 1, 250)).json).toEqual({ rows: 250 });
    expect((await team.admin("GET", `/imports/${id}`)).json).toMatchObject({ state: "uploading", rows: 250 });
    expect((await add(team, id, 1, 250)).json).toEqual({ rows: 250 });
    expect((await add(team, id, 201, 100)).json).toEqual({ rows: 300 });
    const whole = await complete(team, id, 300);
    expect(whole.json).toMatchObject({ state: "ready", rows: 300 });
    expect((await team.admin("POST", `/imports/${id}/start`, { mapping })).status).toBe(200);
    await finished(team);
    expect((await team.admin("GET", `/imports/${id}`)).json).toMatchObject({ state: "done", created: 300, refused: 0 });
    const lines = (await file(`/${id}/outcome.csv`)).text.trim().split("\r\n").slice(1);
    expect(lines.map((line: string) => line.split(",").slice(0, 3).join())).toEqual(
      [...Array(300).keys()].map((index) => `${index + 1},${index + 2},created`),
    );
  });

  it("are refused where rows are missing before them, or at the end", async () => {
    const team = await createTeam();
    const id = await begin(team);
    await add(team, id, 1, 10);
    const gap = await add(team, id, 12, 1);
    expect(gap.status).toBe(409);
    expect(gap.json).toMatchObject({ code: "import_not_ready", path: "first" });
    const short = await complete(team, id, 11);
    expect(short.status).toBe(409);
    expect(short.json).toMatchObject({ code: "import_not_ready", path: "rows" });
    expect(short.json.message).toContain("10 of 11 rows have arrived");
  });

  it("are refused by an import that is ready, cancelled or not there", async () => {
    const team = await createTeam();
    const whole = (await file("", "email\na@example.com\n")).json.id;
    const cancelled = await begin(team);
    await team.admin("POST", `/imports/${cancelled}/cancel`);
    expect((await add(team, whole, 1, 1)).json.code).toBe("import_not_ready");
    expect((await add(team, cancelled, 1, 1)).json.code).toBe("import_not_ready");
    expect((await add(team, "imp_no", 1, 1)).json.code).toBe("import_not_found");
  });

  it.each([
    ["no column", { columns: [] }, "columns"],
    ["a column twice", { columns: ["a", "a"] }, "columns"],
    ["a name of two lines", { name: "a\nb" }, "name"],
    ["an unknown delimiter", { delimiter: "." }, "delimiter"],
    ["more than 100 MB", { bytes: 100_000_001 }, "bytes"],
    ["no fingerprint", { fingerprint: "x" }, "fingerprint"],
  ])("are not begun with %s", async (_what, change, path) => {
    const team = await createTeam();
    const answer = await team.admin("POST", "/imports/begin", { ...FILE, ...change });
    expect(answer.status).toBe(400);
    expect(answer.json.path).toBe(path);
  });

  it("are given up after a day", async () => {
    const team = await createTeam();
    const id = await begin(team);
    await add(team, id, 1, 10);
    advance(DAY_MS + 1_000);
    await runAlarm(team.stub);
    await runAlarm(team.stub);
    expect((await team.admin("GET", `/imports/${id}`)).json).toMatchObject({ state: "cancelled" });
  });
});

describe("a preview", () => {
  const preview = (team: Team, cells: string[][], change: object = {}) =>
    team.admin("POST", "/imports/preview", {
      columns: FILE.columns,
      mapping,
      rows: cells.map((row, index) => ({ line: index + 2, cells: row })),
      ...change,
    });

  it("says what each row would become, and writes nothing", async () => {
    const team = await createTeam();
    await team.post("/contacts/create", { email: "ada@example.com", firstName: "Ada" });
    await team.post("/contacts/create", { email: "bob@example.com", firstName: "Bob", subscribed: false });
    const rows = [
      ["new@example.com", "New"],
      ["ada@example.com", "Ada"],
      ["BOB@example.com", "Rob"],
    ];
    const { status, json } = await preview(team, [...rows, ["new@example.com", "Again"], ["not an address", "X"]]);
    expect(status).toBe(200);
    expect(json.rows.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
      "created",
      "unchanged",
      "updated",
      "updated",
      "refused",
    ]);
    expect(json.rows[4]).toMatchObject({ column: "E-Mail", reason: expect.stringContaining("email address") });
    expect(await contacts(team)).toBe(2);
    expect(await team.inside((sql) => sql.exec("SELECT * FROM import_seen").toArray())).toEqual([]);
  });

  it("counts on properties that are created later, and never subscribes again", async () => {
    const team = await createTeam();
    await team.post("/contacts/create", { email: "bob@example.com", subscribed: false });
    const { json } = await preview(team, [["bob@example.com", "yes", "12"]], {
      columns: ["E-Mail", "In", "Seats"],
      mapping: { "E-Mail": "email", In: "subscribed", Seats: "seats" },
      createProperties: { seats: "number" },
    });
    expect(json.rows).toEqual([
      { outcome: "updated", column: "", reason: "The contact has unsubscribed, and stays so." },
    ]);
    expect((await team.get("/contacts/properties?list=custom")).json).toEqual([]);
  });

  it("is refused with a mapping that an import would refuse", async () => {
    const team = await createTeam();
    const answer = await preview(team, [["a@example.com", "A"]], { mapping: { "First name": "firstName" } });
    expect(answer.status).toBe(400);
    expect(answer.json.code).toBe("invalid_mapping");
  });
});

describe("an import that is running", () => {
  const started = async (team: Team): Promise<string> => {
    const id = await begin(team);
    await add(team, id, 1, 300);
    await complete(team, id, 300);
    await team.inside((sql) =>
      sql.exec(
        `UPDATE imports SET state = 'running', settings = ? WHERE id = ?`,
        JSON.stringify({
          mapping,
          mailingLists: [],
          updateExisting: true,
          triggerWorkflows: false,
          columns: [{ index: 0, name: "E-Mail", target: { kind: "email" } }],
        }),
        id,
      ),
    );
    return id;
  };
  const act = (team: Team, id: string, name: string) => team.admin("POST", `/imports/${id}/${name}`);

  it("pauses, and goes on where it was", async () => {
    const team = await createTeam();
    const id = await started(team);
    expect((await act(team, id, "pause")).json).toMatchObject({ state: "running", paused: true });
    const { processed } = (await act(team, id, "pause")).json;
    await runAlarm(team.stub);
    expect((await team.admin("GET", `/imports/${id}`)).json).toMatchObject({ paused: true, processed });
    expect((await team.admin("GET", "/imports")).json.data[0]).toMatchObject({ paused: true });
    expect((await act(team, id, "resume")).json).toMatchObject({ state: "running", paused: false });
    await finished(team);
    expect((await team.admin("GET", `/imports/${id}`)).json).toMatchObject({
      state: "done",
      paused: false,
      created: 300,
    });
    expect(await contacts(team)).toBe(300);
  });

  it("is cancelled seven days after its pause", async () => {
    const team = await createTeam();
    const id = await started(team);
    await act(team, id, "pause");
    advance(7 * DAY_MS + 1_000);
    await runAlarm(team.stub);
    expect((await team.admin("GET", `/imports/${id}`)).json.state).toBe("cancelled");
  });

  it("is all that can be paused or resumed", async () => {
    const team = await createTeam();
    const id = await begin(team);
    for (const name of ["pause", "resume"]) {
      const answer = await act(team, id, name);
      expect(answer.status).toBe(409);
      expect(answer.json.code).toBe("import_not_ready");
      expect((await act(team, "imp_no", name)).json.code).toBe("import_not_found");
    }
  });
});

describe("an outcome file", () => {
  it("has only the refused rows where these are asked for", async () => {
    const team = await createTeam();
    const { id } = (await file("", "email,name\nada@example.com,Ada\nno,No\nbob@example.com,Bob\n@,X\n")).json;
    await team.admin("POST", `/imports/${id}/start`, { mapping: { email: "email", name: "firstName" } });
    await finished(team);
    const lines = (await file(`/${id}/outcome.csv?outcome=refused`)).text.trim().split("\r\n");
    expect(lines.map((line: string) => line.split(",").slice(0, 4).join())).toEqual([
      "row,line,outcome,column",
      "2,3,refused,email",
      "4,5,refused,email",
    ]);
    const wrong = await file(`/${id}/outcome.csv?outcome=created`);
    expect(wrong.status).toBe(400);
    expect(wrong.json.path).toBe("outcome");
  });
});
