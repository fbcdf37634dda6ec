import { beforeEach, describe, expect, it } from "vitest";
import { contactByEmail, type StoredContact } from "../../../../../../src/email/workspace/contacts/contact-rows.ts";
import { createRunPump } from "../../../../../../src/email/workspace/requests/slice-pump.ts";
import { runRequest } from "../../../../../../src/email/workspace/requests/v1-requests.ts";
import { countStep, savePassed } from "../../../../../../src/email/workspace/workflows/node-passes.ts";
import { startWorkflow } from "../../../../../../src/email/workspace/workflows/runs/control.ts";
import { runStoryOf } from "../../../../../../src/email/workspace/workflows/runs/run-story.ts";
import { findWorkflow, type StoredWorkflow } from "../../../../../../src/email/workspace/workflows/workflow-rows.ts";
import { digest } from "../../../../../../src/lib/util/hmac.ts";
import { advance, createTeam, isolated, type Team } from "../../../bench.ts";
import { contextOf, counted } from "../../counted.ts";

isolated();

const DAY = 86_400_000;

let team: Team;
let workflow: string;
let root: string;

const edit = async (path: string, body: object) => {
  advance(1_100);
  const { json } = await team.send("GET", `/workflows/${workflow}`);
  const expectedRevisionId = (json as { workflowRevisionId: string }).workflowRevisionId;
  const answer = await team.send("POST", `/workflows/${workflow}${path}`, {
    body: JSON.stringify({ expectedRevisionId, ...body }),
  });
  expect(answer.status, answer.text).toBe(200);
  return answer.json as { node: { id: string; emailMessageId: string; nextNodeIds: string[] } };
};

const contextIn = (sql: SqlStorage) => ({
  ...contextOf(sql),
  mail: { envelope: undefined, envelopeClasses: [], inboxOnly: ["marketing" as const], notes: [] },
});

const startIt = () =>
  team.inside((sql) => {
    const context = contextOf(sql);
    const { workflow: stored } = findWorkflow(context, workflow) as { workflow: StoredWorkflow };
    startWorkflow(context, stored);
  });

const pump = () =>
  team.inside(async (real) => {
    const { sql, take } = counted(real);
    const runs = createRunPump({
      context: () => contextIn(sql),
      transaction: (work) => work(),
      pause: async () => {},
      follow: () => {},
    });
    await runs.run(10);
    return { written: take().written, next: runs.next() };
  });

const runs = () =>
  team.rows("SELECT seq, wake IS NOT NULL AS active, json(event) AS event, ended FROM runs ORDER BY entered_at, seq");
const event = (more: object = {}) =>
  team.post("/events/send", { email: "ada@example.com", eventName: "paid", eventProperties: { plan: "pro" }, ...more });

beforeEach(async () => {
  team = await createTeam();
  const { json } = await team.post("/workflows", { name: "Paid" });
  ({ id: workflow, rootNodeId: root } = json as { id: string; rootNodeId: string });
  await edit(`/nodes/${root}`, { payload: { typeName: "EventTrigger", eventName: "paid" } });
  const timer = await edit("/nodes", { insertMode: "after", nodeTypeName: "TimerAction", fromNodeId: root });
  await edit("/nodes", { insertMode: "before", nodeTypeName: "SendEmailAction", toNodeId: timer.node.id });
});

describe("an entry", () => {
  it("is written with the event that causes it, which it keeps as it is", async () => {
    await startIt();
    expect((await event()).status).toBe(200);
    expect(await runs()).toEqual([{ seq: 1, active: 1, event: '{"plan":"pro"}', ended: null }]);
    await event({ eventProperties: { plan: "free" } });
    expect(await runs()).toHaveLength(1);
  });

  it("needs a workflow that has started, and an event of exactly its name", async () => {
    await event();
    await startIt();
    for (const eventName of ["Paid", "paid ", "pai"]) await event({ eventName });
    expect(await runs()).toEqual([]);
  });

  it("is undone with a refused event", async () => {
    await startIt();
    await team.post("/contacts/create", { email: "ada@example.com", userId: "u1" });
    await team.post("/contacts/create", { email: "bo@example.com", userId: "u2" });
    expect((await event({ userId: "u2" })).json).toMatchObject({ code: "contact_conflict" });
    expect(await runs()).toEqual([]);
  });

  it("is erased with its contact", async () => {
    await startIt();
    await event();
    await team.post("/contacts/delete", { email: "ada@example.com" });
    expect(await runs()).toEqual([]);
  });
});

describe("a step", () => {
  it("queues one mail for the passage, and waits at the timer for its time", async () => {
    await startIt();
    await event();
    await pump();
    const mails = () => team.rows("SELECT class, origin, run FROM sends");
    expect(await mails()).toEqual([{ class: "marketing", origin: workflow, run: 1 }]);
    advance(DAY - 1_000);
    await pump();
    expect(await runs()).toMatchObject([{ active: 1, ended: null }]);
    advance(2_000);
    await pump();
    expect(await runs()).toEqual([{ seq: 1, active: 0, event: null, ended: "completed" }]);
    expect(await mails()).toHaveLength(1);
  });

  it("asks for the alarm when the next run is due", async () => {
    await startIt();
    await event();
    const { next } = await pump();
    expect(next - Date.now()).toBeGreaterThan(DAY - 2_000);
  });
});

it("the story of a contact says what happened to it, and why it does not enter again", async () => {
  const told = () =>
    team.inside((sql) => {
      const context = contextIn(sql);
      const { workflow: stored } = findWorkflow(context, workflow) as { workflow: StoredWorkflow };
      const contact = contactByEmail(sql, "ada@example.com") as StoredContact;
      const { runs: passages, entry } = runStoryOf(context, stored, contact);
      return {
        passages: passages.map(({ lines, text }) => [...lines.map((line) => line.text), text]),
        entry: entry.code,
      };
    });
  await team.post("/contacts/create", { email: "ada@example.com" });
  expect(await told()).toEqual({ passages: [], entry: "not_published" });
  await startIt();
  expect(await told()).toEqual({ passages: [], entry: "no_trigger" });
  await event();
  await pump();
  const { passages, entry } = await told();
  expect(entry).toBe("entered_before");
  expect(passages).toHaveLength(1);
  const [entered, queued, began, waits] = passages[0] ?? [];
  expect([entered, began]).toEqual(["Entered the workflow.", "Started to wait at the timer of 1 day."]);
  expect(queued).toMatch(/^Queued the mail msg_\w+, which has no subject\. It was not sent/);
  expect(waits).toMatch(
    /^The contact waits at the timer of 1 day\. Its next step is due at 2090-01-02 \d\d:\d\d UTC\.$/,
  );
});

/** Cloudflare bills written rows. */
it("entries and steps write this many rows", async () => {
  await startIt();
  const keyHash = await digest(team.key);
  advance(1_100);
  const input = { email: "ada@example.com", eventName: "paid", eventProperties: { plan: "pro" } };
  const sent = (eventName = "paid") =>
    team.inside((real) => {
      const { sql, storage, take } = counted(real);
      const request = { operation: "events.send", input: { ...input, eventName } };
      const answer = runRequest(storage, contextOf(sql), { keyHash, request });
      expect(answer).toMatchObject({ status: 200 });
      return take().written;
    });
  await team.post("/events/send", { ...input, eventName: "other" });
  await team.post("/events/send", { ...input, email: "bo@example.com" });
  await pump();
  advance(1_100);
  const entered = await sent();
  // A contact does not enter again in a once-only workflow. One row counts this.
  const repeated = await sent();
  const plain = await sent("other");
  const rested = await pump();
  advance(2 * DAY);
  const ended = await pump();
  // A mail writes 4 rows, as any marketing mail (rows.test.ts). A slice counts mails, ends and moves in one row each.
  // After two days, old counts are merged: two rows.
  const slices = { rest: rested.written - 4 - 2, endOfTwo: ended.written - 2 - 2 };
  expect({ entry: entered - plain, dropped: repeated - plain, ...slices }).toEqual({
    entry: 2,
    dropped: 1,
    rest: 2,
    endOfTwo: 2,
  });
});

it("where the 50 contacts of a slice went is one row, and one more in an hour", async () => {
  await startIt();
  const rows = await team.inside(async (real) => {
    const { sql, take } = counted(real);
    const context = contextOf(sql);
    const { workflow: stored } = findWorkflow(context, workflow) as { workflow: StoredWorkflow };
    const passed = (...[from, to]: [number, number]) => ({
      visits: Array.from({ length: to - from }, (_, i) => [from + i + 1, 0] as const),
      position: { node: to, since: 0, wake: 1 },
    });
    const slice = (hours: number) => {
      const counts = new Map<string, number>();
      for (let i = 0; i < 50; i += 1) countStep(counts, 1, passed(1, 300));
      take();
      savePassed(sql, stored.n, counts, Date.now() + hours * 3_600_000);
      return take().written;
    };
    return [slice(0), slice(0), slice(1), slice(1), slice(30), slice(30)];
  });
  // The first slice of an hour begins a row. After a day, the old rows become one.
  expect(rows).toEqual([1, 1, 1, 1, 4, 1]);
  const [first] = await team.rows("SELECT counts FROM workflow_passed WHERE hour = 0");
  expect(JSON.parse(String(first?.counts))["299 300"]).toBe(200);
});
