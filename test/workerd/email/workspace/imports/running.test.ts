import { describe, expect, it, vi } from "vitest";
import { createTeam, isolated, runAlarm } from "../../bench.ts";
import { file, finished } from "./bench.ts";

isolated();

const rows = (count: number) =>
  `email,plan\n${[...Array(count).keys()].map((index) => `p${index}@example.com,pro\n`).join("")}`;

describe("while an import runs", () => {
  it("a property that it fills is in use, and can be deleted afterwards", async () => {
    const team = await createTeam();
    await team.post("/contacts/properties", { name: "plan", type: "string" });
    const { id } = (await file("?name=people.csv", rows(1_000))).json;
    const remove = () => team.admin("DELETE", "/properties/plan");
    await team.admin("POST", `/imports/${id}/start`, { mapping: { email: "email", plan: "plan" } });
    const refused = await remove();
    expect(refused.status, refused.text).toBe(409);
    expect(refused.json).toMatchObject({
      code: "property_in_use",
      path: "name",
      message: expect.stringContaining('import "people.csv"'),
    });
    const { json: usage } = await team.admin("GET", "/properties/usage");
    expect(usage.data.find(({ name }: { name: string }) => name === "plan").usedBy).toEqual([
      { kind: "import", id, name: "people.csv" },
    ]);
    await finished(team);
    expect((await remove()).status).toBe(200);
  });

  it("a mailing list that is archived takes nobody any more, and each row says so", async () => {
    const team = await createTeam();
    const { json: list } = await team.admin("POST", "/lists", { name: "News" });
    const { id } = (await file("", rows(1_000))).json;
    await team.admin("POST", `/imports/${id}/start`, { mapping: { email: "email" }, mailingLists: [list.id] });
    vi.spyOn(console, "log").mockImplementation(() => {});
    await team.run(`CREATE TRIGGER stop BEFORE INSERT ON import_outcomes WHEN (SELECT count(*) FROM contacts) > 450
      BEGIN SELECT RAISE(ABORT, 'crash'); END`);
    await runAlarm(team.stub);
    await team.run("DROP TRIGGER stop");
    const { processed } = (await team.admin("GET", `/imports/${id}`)).json;
    expect(processed).toBeGreaterThan(0);
    expect(processed).toBeLessThan(1_000);
    expect((await team.admin("POST", `/lists/${list.id}`, { isArchived: true })).status).toBe(200);
    await finished(team);
    const members = await team.inside(
      (sql) =>
        sql
          .exec<{ n: number }>("SELECT count(*) AS n FROM contacts WHERE data->>?", `$.mailingLists."${list.id}"`)
          .one().n,
    );
    expect(members).toBe(processed);
    const outcome = (await file(`/${id}/outcome.csv`)).text;
    expect(outcome.split("\n").filter((line) => line.includes("A mailing list was archived meanwhile")).length).toBe(
      1_000 - processed,
    );
    expect((await team.admin("GET", `/imports/${id}`)).json).toMatchObject({
      state: "done",
      created: 1_000,
      refused: 0,
    });
  });
});
