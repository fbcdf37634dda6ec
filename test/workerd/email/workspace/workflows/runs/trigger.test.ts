import { beforeEach, expect, it } from "vitest";
import { contactByEmail, type StoredContact } from "../../../../../../src/email/workspace/contacts/contact-rows.ts";
import { startRuns } from "../../../../../../src/email/workspace/workflows/runs/trigger.ts";
import { createTeam, isolated, type Team } from "../../../bench.ts";
import { contextOf } from "../../counted.ts";
import { addReady } from "./bench.ts";

isolated();

let team: Team;
beforeEach(async () => {
  team = await createTeam();
  await team.post("/contacts/create", { email: "ada@example.com" });
});

it("which workflows a write starts is in an index, so that no graph is read or parsed", async () => {
  const { id } = await addReady(team);
  await team.run("UPDATE workflows SET status = 'Sending' WHERE id = ?", id);
  const [queries, runs] = await team.inside((sql) => {
    const asked: string[] = [];
    const exec: SqlStorage["exec"] = (query, ...values) => {
      asked.push(query);
      return sql.exec(query, ...values);
    };
    const context = contextOf({ exec } as SqlStorage);
    const after = contactByEmail(sql, "ada@example.com") as StoredContact;
    context.after.writes.push({ before: after, after, eventName: "paid" });
    startRuns(context);
    return [asked, sql.exec("SELECT count(*) AS n FROM runs").one().n] as const;
  });
  expect(runs).toBe(1);
  expect(queries.filter((query) => /\bgraph\b/.test(query))).toEqual([]);
  const [query = ""] = queries.filter((one) => one.includes("workflows_entry"));
  const program = await team.inside((sql) =>
    sql.exec<{ opcode: string; p1: number; p4: string }>(`EXPLAIN ${query}`, "EventTrigger", "paid").toArray(),
  );
  const read = new Set(program.filter(({ opcode }) => opcode === "Column").map(({ p1 }) => p1));
  const indexes = program.filter(({ opcode, p4 }) => opcode === "OpenRead" && p4?.startsWith("k(")).map(({ p1 }) => p1);
  expect([...read]).toEqual(indexes);
  expect(program.filter(({ opcode }) => opcode === "Function")).toEqual([]);
});
