import { evictDurableObject } from "cloudflare:test";
import { beforeEach, expect, it } from "vitest";
import { addSweeps, takeSweep } from "../../../../../src/email/workspace/core/sweeps.ts";
import { createRunPump } from "../../../../../src/email/workspace/requests/slice-pump.ts";
import { workflows } from "../../../../../src/email/workspace/workflows/handlers.ts";
import { allWaiting, countWaiting } from "../../../../../src/email/workspace/workflows/waiting-runs.ts";
import { advance, isolated, runAlarm, type Team } from "../../bench.ts";
import { contextOf, counted } from "../counted.ts";
import { ask, setTo, teamWithWorkflow } from "./bench.ts";

isolated();

const MANY = 2_500;
let team: Team;
let revision: string;

const change = async (method: string, path: string, body: object) => {
  const answer = await ask(team, method, `/wfl_1${path}`, { expectedRevisionId: revision, ...body });
  expect(answer.status, answer.text).toBe(200);
  revision = answer.json.workflowRevisionId ?? revision;
  return answer.json;
};

beforeEach(async () => {
  team = await teamWithWorkflow();
  revision = "rev_1";
  await team.run(
    `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?)
     INSERT INTO contacts (n, id, email, email_key, data, created_at, updated_at)
     SELECT 1000 + i, 'con_' || i, i || '@example.com', i || '@example.com',
       jsonb(iif(i % 2, '{"subscribed":true,"mailingLists":{},"properties":{}}', '{"subscribed":true,"mailingLists":{"lst_news":true},"properties":{}}')), 0, 0 FROM c`,
    MANY,
  );
  await team.run(
    `INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path)
     SELECT c.n, w.n, 1, 2, ?1, ?1 + 86400000, ?1, '[]' FROM contacts c, workflows w WHERE c.n > 1000 AND w.id = 'wfl_1'`,
    Date.now(),
  );
});

const ends = () => team.rows("SELECT coalesce(ended, 'waits') AS ended, count(*) AS n FROM runs GROUP BY 1 ORDER BY 1");
const pending = async () => (await team.rows("SELECT count(*) AS n FROM sweeps"))[0]?.n;
const slices = async (many: number) => {
  await team.inside((sql, storage) =>
    createRunPump({
      context: () => ({
        ...contextOf(sql),
        mail: { envelope: undefined, envelopeClasses: [], inboxOnly: ["marketing" as const], notes: [] },
      }),
      transaction: (work) => storage.transactionSync(work),
      pause: async () => {},
      follow: () => {},
    }).run(many),
  );
  await evictDurableObject(team.stub);
};

it("a discard ends exactly the counted contacts, a thousand at once and the others in slices, across crashes", async () => {
  const list = { mailingListId: "lst_news", queuedContactPolicy: "discard" };
  expect(await change("POST", "/mailing-list", list)).toMatchObject({ queuedContactCount: 1_250 });
  expect(await ends()).toEqual([
    { ended: "list_changed", n: 1_000 },
    { ended: "waits", n: 1_500 },
  ]);
  expect(await pending()).toBe(1);
  await team.run("UPDATE contacts SET data = jsonb_set(data, '$.mailingLists', json('{}')) WHERE n > 1000");
  expect(await change("DELETE", "/nodes/nod_timer", { dryRun: true })).toMatchObject({ queuedContactCount: 1_250 });
  await evictDurableObject(team.stub);
  await slices(1);
  expect(await ends()).toEqual([
    { ended: "list_changed", n: 1_250 },
    { ended: "waits", n: 1_250 },
  ]);
  expect(await pending()).toBe(0);
});

it("a deleted node ends its contacts; nothing moves before, and a contact that is deleted or merged meanwhile is right too", async () => {
  const gone = await change("DELETE", "/nodes/nod_timer", { queuedContactPolicy: "discard" });
  expect(gone).toMatchObject({ status: "deleted", queuedContactCount: MANY });
  expect(await pending()).toBe(2);
  await setTo(team, "Sending");
  expect((await ask(team, "DELETE", "/wfl_1", { expectedRevisionId: revision })).json).toMatchObject({
    queuedContactCount: 0,
  });
  await team.post("/contacts/delete", { email: "2500@example.com" });
  expect(await team.rows("SELECT n FROM sweeps WHERE runs LIKE '%[3500,%'")).toEqual([]);
  await team.run("UPDATE contacts SET email = NULL, email_key = NULL, user_id = 'u2499' WHERE n = 3499");
  const kept = "kept@example.com";
  expect((await team.post("/contacts/create", { email: kept })).status).toBe(200);
  expect((await team.put("/contacts/update", { email: kept, userId: "u2499" })).status).toBe(200);
  expect(await team.rows("SELECT n FROM sweeps WHERE runs LIKE '%[3499,%'")).toEqual([]);
  const ofKept = `SELECT ended FROM runs WHERE contact = (SELECT n FROM contacts WHERE email = '${kept}')`;
  expect(await team.rows(ofKept)).toEqual([{ ended: "node_deleted" }]);
  await slices(1);
  await slices(1);
  expect(await ends()).toEqual([{ ended: "node_deleted", n: MANY - 1 }]);
  expect(await pending()).toBe(0);
});

it("a changed timer counts from the arrival; its contacts move when all of them have their time", async () => {
  const arrived = Date.now();
  await change("POST", "/nodes/nod_timer", { payload: { amount: 90, unit: "m" } });
  await change("POST", "/nodes/nod_timer", { payload: { amount: 2, unit: "h" } });
  expect(await pending()).toBe(4);
  advance(3 * 3_600_000);
  await setTo(team, "Sending");
  await slices(3);
  expect(await ends()).toEqual([{ ended: "waits", n: MANY }]);
  expect(await team.rows("SELECT count(*) AS n FROM runs WHERE node = 2")).toEqual([{ n: MANY }]);
  await slices(1);
  const [{ wake } = { wake: 0 }] = await team.rows("SELECT DISTINCT wake FROM runs");
  expect(wake).toBeGreaterThanOrEqual(arrived - 60_000 + 2 * 3_600_000);
  expect(wake).toBeLessThan(arrived + 2 * 3_600_000 + 1_000);
  expect(await pending()).toBe(0);
  await slices(1);
  expect(await team.rows("SELECT count(*) AS n FROM runs WHERE wake IS NULL")).toEqual([{ n: 50 }]);
});

it.each([
  ["ends them", { ended: "node_deleted" }],
  ["changes their timer", { node: 2, wait: 7_200_000 }],
] as const)("a slice that %s reads the rows of its own runs only, whatever waits besides", async (_, edit) => {
  const rowsOfSlice = () =>
    team.inside((sql) => {
      const { n } = sql.exec<{ n: number }>("SELECT n FROM workflows WHERE id = 'wfl_1'").one();
      addSweeps(
        contextOf(sql),
        { workflow: n, sql: "workflow = ? AND wake IS NOT NULL LIMIT 2000", values: [n] },
        edit,
      );
      const rows = counted(sql);
      takeSweep(rows.sql, n);
      expect(sql.exec("SELECT n FROM sweeps").toArray()).toEqual([]);
      sql.exec("UPDATE runs SET wake = since + 86400000, ended = NULL");
      return rows.take().read;
    });
  const few = await rowsOfSlice();
  await team.run(
    `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 6000)
     INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path)
     SELECT 1000 + i % 2500, w.n, 100 + i, 2, 0, 86400000, 0, '[]' FROM c, workflows w WHERE w.id = 'wfl_1'`,
  );
  expect(await rowsOfSlice()).toBe(few);
  expect(few).toBeLessThan(6_000);
});

it("a second edit does not compare each contact with all that the first one ends", async () => {
  await team.run(
    `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20000)
     INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path)
     SELECT 1000 + 2 * (i % 1250) + 1, w.n, 100 + i, 2, 0, 86400000, 0, '[]' FROM c, workflows w WHERE w.id = 'wfl_1'`,
  );
  await change("POST", "/mailing-list", { mailingListId: "lst_news", queuedContactPolicy: "discard" });
  const read = await team.inside((sql) => {
    const rows = counted(sql);
    const { n } = sql.exec<{ n: number }>("SELECT n FROM workflows WHERE id = 'wfl_1'").one();
    expect(countWaiting(rows.sql, allWaiting(n))).toBe(1_250);
    return rows.take().read;
  });
  expect(read).toBeLessThan(150_000);
});

it.each(["a change of the list", "a deletion"])("%s looks at each contact once, however many leave", async (what) => {
  await team.run(
    `WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 10000)
     INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path)
     SELECT 1000 + 2 * (i % 1250) + 1, w.n, 100 + i, 2 + i % 2, 0, 86400000, 0, '[]' FROM c, workflows w WHERE w.id = 'wfl_1'`,
  );
  const readBy = (policy: object) =>
    team.inside((sql) => {
      const rows = counted(sql);
      const context = contextOf(rows.sql);
      const asked = { workflowId: "wfl_1", expectedRevisionId: "rev_1", ...policy };
      const answer =
        what === "a deletion"
          ? workflows.deleteNodeRecursively(context, { ...asked, nodeId: "nod_timer" })
          : workflows.changeMailingList(context, { ...asked, mailingListId: "lst_news" });
      return { answer: answer as { body?: { status: string; queuedContactCount: number } }, read: rows.take().read };
    });
  const looked = await readBy({ dryRun: true });
  const count = looked.answer.body?.queuedContactCount ?? 0;
  expect(count).toBeGreaterThan(7_000);
  expect(looked.read).toBeGreaterThan(count);
  const made = await readBy({ queuedContactPolicy: "discard" });
  expect(made.answer.body).toMatchObject({ queuedContactCount: count });
  expect(made.read).toBeLessThan(looked.read + 8_000);
  const left = await team.rows("SELECT ended FROM workflow_versions WHERE ended IS NOT NULL");
  const ended = JSON.parse(String(left[0]?.ended)) as [number, string, number][];
  expect(ended.reduce((sum, [, , many]) => sum + many, 0)).toBe(count);
  expect(await team.rows("SELECT sum(json_array_length(runs)) AS n FROM sweeps")).toEqual([{ n: count - 1_000 }]);
});

it("ended contacts of a deleted workflow go with it", async () => {
  await team.run("UPDATE runs SET wake = NULL, ended = 'completed'");
  expect((await ask(team, "DELETE", "/wfl_1", { expectedRevisionId: revision })).status).toBe(204);
  for (let alarms = 0; alarms < 8; alarms += 1) {
    await team.inside((_, storage) => storage.setAlarm(Date.now()));
    await runAlarm(team.stub);
    advance(1_100);
  }
  expect(await team.rows("SELECT n FROM workflows UNION ALL SELECT contact FROM runs")).toEqual([]);
});
