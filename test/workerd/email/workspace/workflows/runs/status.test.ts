import { beforeEach, describe, expect, it } from "vitest";
import { statusOf } from "../../../../../../src/email/workspace/workflows/runs/status.ts";
import { findWorkflow, type StoredWorkflow } from "../../../../../../src/email/workspace/workflows/workflow-rows.ts";
import { advance, createTeam, isolated, runAlarm, type Team } from "../../../bench.ts";
import { contextOf, counted } from "../../counted.ts";
import { addReady, edit, pay, type Ready } from "./bench.ts";

isolated();

const DAY = 86_400_000;

let team: Team;
let workflow: Ready;
beforeEach(async () => {
  team = await createTeam();
  workflow = await addReady(team);
});

const act = async (what: string) => {
  advance(1_000);
  const { status, text } = await team.admin("POST", `/workflows/${workflow.id}/${what}`);
  expect(status, text).toBe(200);
};
const read = async () => {
  const { status, json, text } = await team.admin("GET", `/workflows/${workflow.id}/status`);
  expect(status, text).toBe(200);
  return json;
};
const nodeOf = async (id: string) => (await read()).nodes.find(({ nodeId }: { nodeId: string }) => nodeId === id);
const dropped = async () => (await read()).dropped;
const addRuns = (email: string, many: number, ended: string | null) =>
  team.run(
    `WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < ?2)
     INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path, ended)
     SELECT c.n, w.n, 1000 + i, 4, 0, iif(?3 IS NULL, 1e15, NULL), 0, '[]', ?3 FROM contacts c, workflows w, i WHERE c.email = ?1`,
    email,
    many,
    ended,
  );

describe("a trigger that fires for a contact that does not enter", () => {
  it("is not counted for a draft", async () => {
    await pay(team, "ada@example.com");
    expect(await read()).toMatchObject({ status: "Draft", entered: 0, active: 0, ended: {}, dropped: {} });
  });

  it("is counted by the reason, each time", async () => {
    const { id: list } = (await team.admin("POST", "/lists", { name: "News" })).json;
    await edit(team, workflow.id, "/mailing-list", { mailingListId: list });
    await act("start");
    await pay(team, "left@example.com");
    await pay(team, "left@example.com");
    await team.post("/contacts/create", {
      email: "off@example.com",
      subscribed: false,
      mailingLists: { [list]: true },
    });
    await pay(team, "off@example.com");
    const on = { mailingLists: { [list]: true } };
    await pay(team, "pending@example.com", on);
    await team.run(
      "UPDATE contacts SET data = jsonb_set(data, '$.optInStatus', 'pending') WHERE email = 'pending@example.com'",
    );
    await pay(team, "pending@example.com");
    await pay(team, "ada@example.com", on);
    await pay(team, "ada@example.com");
    expect(await dropped()).toEqual({ left_list: 2, unsubscribed: 1, not_confirmed: 1, entered_before: 1 });
    expect((await read()).entered).toBe(2);
  });

  it("is counted when the contact is in the workflow 100 times", async () => {
    await edit(team, workflow.id, `/nodes/${workflow.root}`, { payload: { reEligible: true } });
    await act("start");
    await pay(team, "ada@example.com");
    await addRuns("ada@example.com", 99, null);
    await pay(team, "ada@example.com");
    expect(await dropped()).toEqual({ too_many_active: 1 });
  });

  it("is counted while the workflow is stopped, and after the 24 hours of a pause", async () => {
    await act("start");
    await act("stop");
    await pay(team, "ada@example.com");
    expect(await dropped()).toEqual({ paused: 1 });
    await act("resume");
    await act("pause");
    await pay(team, "bo@example.com");
    expect(await dropped()).toEqual({ paused: 1 });
    advance(DAY);
    await pay(team, "cy@example.com");
    expect(await dropped()).toEqual({ paused: 2 });
  });

  it("is not counted when its request is refused", async () => {
    await act("start");
    await act("stop");
    await team.post("/contacts/create", { email: "ada@example.com", userId: "u1" });
    await team.post("/contacts/create", { email: "bo@example.com", userId: "u2" });
    expect((await pay(team, "ada@example.com", { userId: "u2" })).status).toBe(400);
    expect(await dropped()).toEqual({});
  });
});

it("the status shows where contacts wait, and when the first one goes on", async () => {
  await act("start");
  await pay(team, "ada@example.com");
  await runAlarm(team.stub);
  const entered = Date.now();
  advance(3_600_000);
  await pay(team, "bo@example.com");
  await runAlarm(team.stub);
  const answer = await read();
  const { workflowRevisionId } = (await team.get(`/workflows/${workflow.id}`)).json;
  const none = { waiting: 0, due: 0, nextWake: null, passed: 0, passedLastDay: 0, left: {}, edges: [] };
  const both = (nodeId: string) => ({ ...none, passed: 2, passedLastDay: 2, edges: [{ nodeId, passed: 2 }] });
  expect(answer).toEqual({
    id: workflow.id,
    name: "Paid",
    status: "Sending",
    workflowRevisionId,
    pausedAt: null,
    queuesUntil: null,
    entered: 2,
    active: 2,
    ended: {},
    dropped: {},
    sweeping: false,
    passedSince: null,
    nodes: [
      {
        nodeId: workflow.root,
        typeName: "EventTrigger",
        text: 'the start: the event "paid"',
        ...both(workflow.email),
      },
      {
        nodeId: workflow.email,
        typeName: "SendEmailAction",
        text: 'the mail "Hello"',
        ...both(workflow.timer),
        mails: expect.any(Object),
      },
      {
        nodeId: workflow.timer,
        typeName: "TimerAction",
        text: "the timer of 1 day",
        ...none,
        waiting: 2,
        nextWake: expect.any(String),
        edges: [{ nodeId: workflow.exit, passed: 0 }],
      },
      { nodeId: workflow.exit, typeName: "ExitAction", text: "the end of the workflow", ...none },
    ],
  });
  const next = Date.parse((await nodeOf(workflow.timer)).nextWake);
  expect(Math.abs(next - entered - DAY)).toBeLessThan(2_000);
  await act("stop");
  advance(DAY);
  await pay(team, "cy@example.com");
  expect(await nodeOf(workflow.timer)).toMatchObject({ waiting: 2, due: 2 });
  expect(await read()).toMatchObject({ pausedAt: expect.any(String), queuesUntil: null, status: "Paused" });
  await act("resume");
  await runAlarm(team.stub);
  expect(await read()).toMatchObject({ entered: 2, active: 0, ended: { completed: 2 }, dropped: { paused: 1 } });
});

it("the counts are those after an edit from its answer on, while its contacts are still swept", async () => {
  await act("start");
  await act("stop");
  await team.run(
    `WITH RECURSIVE i(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM i WHERE i < 2500)
     INSERT INTO contacts (n, id, email, email_key, data, created_at, updated_at)
     SELECT 1000 + i, 'con_' || i, i || '@example.com', i || '@example.com', jsonb('{"mailingLists":{}}'), 0, 0 FROM i`,
  );
  await team.run(
    `INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path)
     SELECT c.n, w.n, 1, 4, 0, 1e15, 0, '[]' FROM contacts c, workflows w WHERE c.n > 1000`,
  );
  expect(await nodeOf(workflow.timer)).toMatchObject({ waiting: 2500 });
  const discard = { queuedContactPolicy: "discard" };
  const { queuedContactCount } = await edit(team, workflow.id, `/nodes/${workflow.timer}`, discard, "DELETE");
  expect(queuedContactCount).toBe(2500);
  const after = { entered: 2500, active: 0, ended: { node_deleted: 2500 } };
  expect(await read()).toMatchObject({ ...after, sweeping: true });
  await runAlarm(team.stub);
  expect(await read()).toMatchObject({ ...after, sweeping: false });
});

describe("where contacts went", () => {
  const ways = async (id: string) => {
    const { passed, passedLastDay, left, edges } = await nodeOf(id);
    return { passed, passedLastDay, left, edges: edges.map((edge: { passed: number }) => edge.passed) };
  };

  it("is counted by node, edge and reason, and in the last 24 hours", async () => {
    await act("start");
    for (const name of ["ada", "bo", "cy"]) await pay(team, `${name}@example.com`);
    await runAlarm(team.stub);
    expect(await ways(workflow.email)).toEqual({ passed: 3, passedLastDay: 3, left: {}, edges: [3] });
    await team.put("/contacts/update", { email: "cy@example.com", subscribed: false });
    advance(DAY + 2_000);
    await runAlarm(team.stub);
    expect(await ways(workflow.email)).toEqual({ passed: 3, passedLastDay: 0, left: {}, edges: [3] });
    expect(await ways(workflow.timer)).toEqual({ passed: 2, passedLastDay: 2, left: { unsubscribed: 1 }, edges: [2] });
    expect(await ways(workflow.exit)).toEqual({ passed: 0, passedLastDay: 0, left: { completed: 2 }, edges: [] });
  });

  it("stays when an edit leads elsewhere: the old edge has no count, and the node keeps its own", async () => {
    await act("start");
    await pay(team, "ada@example.com");
    await runAlarm(team.stub);
    await act("pause");
    const between = { insertMode: "between", fromNodeId: workflow.email, toNodeId: workflow.timer };
    const { node: added } = await edit(team, workflow.id, "/nodes", { ...between, nodeTypeName: "AudienceFilter" });
    expect(await ways(workflow.email)).toEqual({ passed: 1, passedLastDay: 1, left: {}, edges: [0] });
    expect(await ways(added.id)).toEqual({ passed: 0, passedLastDay: 0, left: {}, edges: [0] });
  });

  it("says since when it is counted, where contacts moved before", async () => {
    await team.run("INSERT INTO workflow_passed SELECT n, 0, '{}', 1767225600000 FROM workflows");
    expect((await read()).passedSince).toBe("2026-01-01T00:00:00.000Z");
  });
});

it("queued contacts wait at the start", async () => {
  await act("start");
  await act("pause");
  await pay(team, "ada@example.com");
  await runAlarm(team.stub);
  expect(await nodeOf(workflow.root)).toMatchObject({ waiting: 1, due: 1 });
  const { pausedAt, queuesUntil } = await read();
  expect(Date.parse(queuesUntil) - Date.parse(pausedAt)).toBe(DAY);
});

it("all that entered are active or have ended, also after a purge, a removal of the node, and with contacts that are deleted", async () => {
  await edit(team, workflow.id, `/nodes/${workflow.root}`, { payload: { reEligible: true } });
  await act("start");
  for (const name of ["ada", "ada", "bo", "bo", "bo"]) await pay(team, `${name}@example.com`);
  await runAlarm(team.stub);
  advance(DAY + 2_000);
  await runAlarm(team.stub);
  await act("pause");
  for (const name of ["ada", "bo", "cy", "di"]) await pay(team, `${name}@example.com`);
  await team.put("/contacts/update", { email: "cy@example.com", subscribed: false });
  await act("resume");
  await runAlarm(team.stub);
  const check = async (ended: object, active: number) => {
    expect(await read()).toMatchObject({ entered: 9, ended, active });
    expect(await team.rows("SELECT count(*) AS active FROM runs WHERE wake IS NOT NULL")).toEqual([{ active }]);
  };
  await check({ completed: 5, unsubscribed: 1 }, 3);
  await team.post("/contacts/delete", { email: "bo@example.com" });
  await check({ completed: 5, unsubscribed: 1, contact_deleted: 1 }, 2);
  await act("stop");
  advance(40 * DAY);
  await runAlarm(team.stub);
  expect(await team.rows("SELECT count(*) AS ended FROM runs WHERE wake IS NULL")).toEqual([{ ended: 1 }]);
  await check({ completed: 5, unsubscribed: 1, contact_deleted: 1 }, 2);
  const discard = { queuedContactPolicy: "discard" };
  await edit(team, workflow.id, `/nodes/${workflow.timer}`, discard, "DELETE");
  await runAlarm(team.stub);
  await check({ completed: 5, unsubscribed: 1, contact_deleted: 1, node_deleted: 2 }, 0);
});

describe("the mails of a node", () => {
  const mails = async () => (await nodeOf(workflow.email)).mails;
  const none = { queued: 0, held: 0, sent: 0, notSent: 0, failed: 0, unknown: 0 };
  const become = (state: string) => team.run("UPDATE sends SET state = ? WHERE recipient = 'ada@example.com'", state);
  beforeEach(async () => {
    await team.admin("POST", "/suppressions", { email: "no@example.com" });
    await act("start");
    await pay(team, "no@example.com");
    await pay(team, "ada@example.com");
    await runAlarm(team.stub);
  });

  it("are each in one state", async () => {
    expect(await mails()).toEqual({ ...none, sent: 1, notSent: 1 });
    for (const [state, count] of [
      ["unknown", "unknown"],
      ["queued", "queued"],
      ["sending", "queued"],
      ["failed", "failed"],
      ["queued", "queued"],
      ["not_sent", "notSent"],
      ["unknown", "unknown"],
      ["sent", "sent"],
      ["delivered", "sent"],
      ["bounced", "sent"],
      ["complained", "sent"],
      ["failed", "failed"],
    ] as const) {
      await become(state);
      const expected = { ...none, notSent: 1 };
      expected[count] += 1;
      expect(await mails(), state).toEqual(expected);
    }
  });

  it("are held while the workflow is paused", async () => {
    await become("unknown");
    await act("pause");
    await become("queued");
    expect(await mails()).toEqual({ ...none, held: 1, notSent: 1 });
    await act("resume");
    expect(await mails()).toEqual({ ...none, queued: 1, notSent: 1 });
  });
});

it("the time of a status does not grow with the runs that have ended", async () => {
  await act("start");
  await pay(team, "ada@example.com");
  await runAlarm(team.stub);
  const rowsRead = () =>
    team.inside((real) => {
      const { sql, take } = counted(real);
      const context = contextOf(sql);
      const { workflow: stored } = findWorkflow(context, workflow.id) as { workflow: StoredWorkflow };
      statusOf(context, stored);
      return take().read;
    });
  const before = await rowsRead();
  await addRuns("ada@example.com", 1_000, "completed");
  expect(await rowsRead()).toBe(before);
});

it("an unknown workflow, and one of another team, has no status", async () => {
  const other = await createTeam({ id: "other" });
  const theirs = await addReady(other);
  for (const id of ["wfl_none", theirs.id]) {
    const { status, json } = await team.admin("GET", `/workflows/${id}/status`);
    expect([status, json.code, json.path]).toEqual([404, "workflow_not_found", "workflowId"]);
  }
});

it("a deleted workflow leaves no counts", async () => {
  await act("start");
  await pay(team, "ada@example.com");
  await pay(team, "ada@example.com");
  const { workflowRevisionId: expectedRevisionId } = (await team.get(`/workflows/${workflow.id}`)).json;
  const { status } = await team.send("DELETE", `/workflows/${workflow.id}`, {
    body: { expectedRevisionId, confirmDelete: true },
  });
  expect(status).toBe(204);
  for (let i = 0; i < 3; i++) await runAlarm(team.stub);
  for (const table of ["workflow_counts", "workflow_passed"])
    expect(await team.rows(`SELECT * FROM ${table}`)).toEqual([]);
});
