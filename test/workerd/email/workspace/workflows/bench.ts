import { setStatus } from "../../../../../src/email/workspace/workflows/workflow-rows.ts";
import { advance, createTeam, type Team } from "../../bench.ts";
import { arrangeWorkflow } from "../../examples.ts";

type Status = Parameters<typeof setStatus>[2];

/**
 * A team with the example workflow "wfl_1" at "rev_1", properties of each type, two lists (one archived), a segment
 * and an event pattern.
 */
export const teamWithWorkflow = async () => {
  const team = await createTeam();
  for (const [name, type] of [
    ["plan", "string"],
    ["seats", "number"],
    ["vip", "boolean"],
    ["renewsAt", "date"],
  ])
    await team.post("/contacts/properties", { name, type });
  await arrangeWorkflow(team);
  await team.run(
    `INSERT INTO mailing_lists (id, name, description, visibility, created_at, archived_at)
     VALUES ('lst_news', 'News', '', 'public', 0, NULL), ('lst_old', 'Old', '', 'public', 0, 1)`,
  );
  const filter = { match: "all", conditions: [{ type: "optIn", status: null }] };
  await team.post("/audience-segments", { name: "All", filter });
  await team.run("UPDATE segments SET id = 'seg_1'");
  await team.post("/events/send", { email: "ada@example.com", eventName: "signedUp" });
  await team.run("UPDATE event_patterns SET id = 'evp_1'");
  return team;
};

/** Sends a request within both rate windows. */
export const ask = (team: Team, method: string, path: string, body?: unknown) => {
  advance(1_100);
  return team.send(method, `/workflows${path}`, body === undefined ? {} : { body });
};

export const setTo = (team: Team, status: Status) =>
  team.inside((sql) => setStatus({ sql, now: Date.now() }, workflowOf(sql), status));

const workflowOf = (sql: SqlStorage) =>
  sql.exec<{ n: number; revision: string }>("SELECT n, revision FROM workflows WHERE id = 'wfl_1'").one();

/** Adds contacts at the node with this `k` of "wfl_1". Every second one is on the list "lst_news". */
export const addWaiting = (team: Team, k: number, many: number) =>
  team.inside((sql) => {
    for (let i = 0; i < many; i++) {
      const data = JSON.stringify({ mailingLists: i % 2 === 0 ? { lst_news: true } : {} });
      const { n } = sql
        .exec<{ n: number }>(
          "INSERT INTO contacts (id, email, email_key, data, created_at, updated_at) VALUES (?, ?, ?, jsonb(?), 0, 0) RETURNING n",
          `con_${k}_${i}`,
          `${k}-${i}@example.com`,
          `${k}-${i}@example.com`,
          data,
        )
        .one();
      sql.exec(
        "INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path) VALUES (?, ?, 1, ?, 0, 1, 0, '[]')",
        n,
        workflowOf(sql).n,
        k,
      );
    }
  });
