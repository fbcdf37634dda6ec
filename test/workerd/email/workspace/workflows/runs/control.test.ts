import { beforeEach, describe, expect, it } from "vitest";
import { advance, createTeam, handedOver, isolated, type Team } from "../../../bench.ts";
import { addReady, edit, pay, type Ready } from "./bench.ts";

isolated();

const HOUR = 3_600_000;

let team: Team;
let workflow: Ready;
beforeEach(async () => {
  team = await createTeam();
  workflow = await addReady(team);
  await pay(team, "before@example.com");
  await team.admin("POST", "", { postalAddress: "1 Main Street" });
});

const ask = async (what: string, body?: object, id = workflow.id) => {
  advance(1_000);
  const { status, json } = await team.admin("POST", `/workflows/${id}/${what}`, body);
  return { status, json };
};
const entered = async () => (await team.rows("SELECT * FROM runs WHERE ended IS NULL")).length;
const iso = (at: number) => new Date(at).toISOString();
const refusal = (answer: { status: number; json: { code: string; path: string } }) => [
  answer.status,
  answer.json.code,
  answer.json.path,
];

describe("a start", () => {
  it("lets contacts enter from then on, and nobody who came before", async () => {
    expect(await ask("start")).toEqual({
      status: 200,
      json: { id: workflow.id, status: "Sending", problems: [], warnings: [] },
    });
    expect(await entered()).toBe(0);
    await pay(team, "ada@example.com");
    expect(await entered()).toBe(1);
  });

  it("changes nothing the second time", async () => {
    const first = await ask("start");
    const before = await team.everything();
    expect(await ask("start")).toEqual(first);
    expect(await ask("resume")).toEqual(first);
    expect(await team.everything()).toBe(before);
  });

  it("with dryRun says whether it would start, and changes nothing", async () => {
    const before = await team.everything();
    expect(await ask("start", { dryRun: true })).toEqual({
      status: 200,
      json: { id: workflow.id, status: "Draft", problems: [], warnings: [] },
    });
    expect(await team.everything()).toBe(before);
  });

  it("is refused for a workflow that is not ready, with everything that it lacks", async () => {
    await edit(team, workflow.id, `/nodes/${workflow.root}`, { payload: { eventName: null } });
    advance(1_100);
    await team.post(`/email-messages/${workflow.mail}`, { subject: "" });
    const before = await team.everything();
    const { status, json } = await ask("start");
    expect([status, json.code, json.path]).toEqual([400, "workflow_not_ready", "workflowId"]);
    expect(json.problems).toEqual([
      { nodeId: workflow.root, code: "trigger_without_event", message: expect.stringContaining("eventName") },
      { nodeId: workflow.email, code: "mail_without_subject", message: "The mail has no subject. Give it one." },
    ]);
    expect(json.warnings).toEqual([]);
    expect(json.message).toContain("2 problems");
    const trial = await ask("start", { dryRun: true });
    expect(trial).toEqual({
      status: 200,
      json: { id: workflow.id, status: "Draft", problems: json.problems, warnings: [] },
    });
    expect(await team.everything()).toBe(before);
  });

  it("takes only a boolean dryRun, and no other field", async () => {
    expect(refusal(await ask("start", { dryRun: "yes" }))).toEqual([400, "invalid_request", "dryRun"]);
    expect(refusal(await ask("start", { force: true }))).toEqual([400, "invalid_request", "force"]);
    expect(refusal(await ask("resume", { force: true }))).toEqual([400, "invalid_request", "force"]);
  });

  it.each(["pause", "stop", "contacts/before@example.com/remove"])(
    "%s takes no field, also not dryRun",
    async (what) => {
      await ask("start");
      await pay(team, "before@example.com");
      await handedOver();
      const before = await team.everything();
      expect(refusal(await ask(what, { dryRun: true }))).toEqual([400, "invalid_request", "dryRun"]);
      expect(await team.everything()).toBe(before);
      expect((await ask(what, {})).status).toBe(200);
      expect((await ask(what)).status).toBe(200);
      expect(await team.everything()).not.toBe(before);
    },
  );
});

describe("a pause", () => {
  it("queues new contacts for 24 hours, which a second pause does not extend", async () => {
    await ask("start");
    const { json } = await ask("pause");
    const now = Date.now();
    expect(json).toEqual({
      id: workflow.id,
      status: "PausedAndQueueing",
      pausedAt: iso(now),
      queuesUntil: iso(now + 24 * HOUR),
    });
    advance(23 * HOUR);
    const before = await team.everything();
    expect((await ask("pause")).json).toEqual(json);
    expect(await team.everything()).toBe(before);
    await pay(team, "ada@example.com");
    expect(await entered()).toBe(1);
    advance(HOUR);
    await pay(team, "bo@example.com");
    expect(await entered()).toBe(1);
    expect((await ask("pause")).json).toEqual({ ...json, status: "Paused", queuesUntil: null });
  });

  it("ends with a resume, and the next one has its own 24 hours", async () => {
    await ask("start");
    await ask("pause");
    advance(20 * HOUR);
    expect((await ask("resume")).json).toMatchObject({ status: "Sending", problems: [] });
    advance(20 * HOUR);
    await ask("pause");
    await pay(team, "ada@example.com");
    expect(await entered()).toBe(1);
  });

  it("lets the workflow be changed, and a resume checks it again", async () => {
    await ask("start");
    await ask("pause");
    await edit(team, workflow.id, `/nodes/${workflow.root}`, { payload: { eventName: null } });
    const { status, json } = await ask("resume");
    expect([status, json.code, json.problems.length]).toEqual([400, "workflow_not_ready", 1]);
    expect((await ask("resume", { dryRun: true })).json).toMatchObject({ status: "PausedAndQueueing", problems: [{}] });
  });
});

describe("a stop", () => {
  it("keeps contacts where they are and queues no new ones", async () => {
    await ask("start");
    await pay(team, "ada@example.com");
    expect((await ask("stop")).json).toEqual({ id: workflow.id, status: "Paused" });
    await pay(team, "bo@example.com");
    expect(await entered()).toBe(1);
    const stored = () => team.rows("SELECT status, paused_at, updated_at FROM workflows");
    const before = await stored();
    expect((await ask("stop")).json).toEqual({ id: workflow.id, status: "Paused" });
    expect((await ask("pause")).json).toMatchObject({ status: "Paused", queuesUntil: null });
    expect(await stored()).toEqual(before);
  });

  it("ends the queueing of a pause, whose time stays", async () => {
    await ask("start");
    const { pausedAt } = (await ask("pause")).json;
    advance(HOUR);
    await ask("stop");
    expect((await ask("pause")).json).toEqual({ id: workflow.id, status: "Paused", pausedAt, queuesUntil: null });
    await pay(team, "ada@example.com");
    expect(await entered()).toBe(0);
  });
});

it("a draft cannot be resumed, paused or stopped", async () => {
  const before = await team.everything();
  for (const what of ["resume", "pause", "stop"]) {
    const answer = await ask(what);
    expect(refusal(answer)).toEqual([400, "workflow_not_started", "workflowId"]);
  }
  expect(refusal(await ask("resume", { dryRun: true }))).toEqual([400, "workflow_not_started", "workflowId"]);
  expect(await team.everything()).toBe(before);
});

it("an unknown workflow, and one of another team, is 404", async () => {
  const other = await createTeam({ id: "other" });
  const theirs = await addReady(other);
  for (const id of ["wfl_none", theirs.id, "x".repeat(101)]) {
    for (const what of ["start", "resume", "pause", "stop"]) {
      const answer = await ask(what, undefined, id);
      const expected =
        id.length > 100 ? [400, "invalid_request", "workflowId"] : [404, "workflow_not_found", "workflowId"];
      expect(refusal(answer)).toEqual(expected);
    }
  }
});

it("the list has the status of each workflow now, and how many contacts are in it", async () => {
  await ask("start");
  await pay(team, "ada@example.com");
  await pay(team, "bo@example.com");
  await ask("pause");
  const draft = await addReady(team, "Draft");
  advance(25 * HOUR);
  const { json } = await team.admin("GET", "/workflows?perPage=10");
  expect(json.pagination).toMatchObject({ totalResults: 2, perPage: 10, nextCursor: null, nextPage: null });
  expect(json.data).toEqual([
    expect.objectContaining({ id: draft.id, name: "Draft", status: "Draft", waiting: 0 }),
    {
      id: workflow.id,
      name: "Paid",
      status: "Paused",
      waiting: 2,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    },
  ]);
  expect((await team.admin("GET", "/workflows?cursor=x")).json).toMatchObject({
    code: "invalid_request",
    path: "cursor",
  });
});
