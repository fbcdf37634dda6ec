import { beforeEach, describe, expect, it } from "vitest";
import { dryRun } from "../../../../../../src/email/workspace/operator/workflows/dry-run.ts";
import type { Graph } from "../../../../../../src/lib/workflow-graph/types.ts";
import { advance, createTeam, isolated } from "../../../bench.ts";
import { contextOf } from "../../counted.ts";
import { addGraph, DAY, graphNamed, type Line, work } from "./bench.ts";
import { createWorld, filter, mail, onEvent, type World, wait } from "./scenario.ts";

isolated();

let world: World;

beforeEach(async () => {
  world = await createWorld();
});

const trial = (more: object = {}): Graph =>
  graphNamed(
    "trial",
    onEvent("trialStarted", "e0", more),
    mail("e0", "d"),
    wait("f"),
    filter("f", "e1", "pro"),
    mail("e1", "x"),
  );

const event = (name: string, eventName = "trialStarted", eventProperties: object = {}) =>
  world.team.post("/events/send", { email: `${name}@example.com`, eventName, eventProperties });
const ask = (workflow: string, body?: object) => world.team.admin("POST", `/workflows/${workflow}/dry-run`, body);
const played = async (workflow: string, body?: object) => {
  const { status, json, text } = await ask(workflow, body);
  expect(status, text).toBe(200);
  return json;
};

describe("a dry run", () => {
  it("plays the events of the last days through a draft, and writes nothing", async () => {
    const workflow = await addGraph(world.team, trial(), world.list, { trial_e1: { subject: "Hi {event.seats}" } });
    for (const name of ["ada", "bob", "cem"]) await world.person(name, { plan: "pro" });
    await world.person("dan", { subscribed: false });
    await world.person("eve", { mailingLists: {} });
    await world.change("bob", { plan: "free" });
    await event("ada");
    await event("bob", "trialStarted", { seats: 5 });
    await event("dan");
    await event("eve");
    await event("ada", "other");
    advance(DAY);
    await event("ada");
    advance(4 * DAY);
    await event("cem", "trialStarted", { seats: 5 });
    advance(DAY);

    const before = await world.team.everything();
    const answer = await played(workflow, { days: 7 });
    expect(answer).toMatchObject({
      events: 6,
      entered: 3,
      notEntered: { unsubscribed: 1, left_list: 1, entered_before: 1 },
      mails: [
        { nodeId: "trial_e0", subject: "Mail trial_e0", count: 3, notSent: 0 },
        { nodeId: "trial_e1", subject: "Hi {event.seats}", count: 0, notSent: 1 },
      ],
      ended: { completed: 1, filtered: 1 },
      waiting: [{ nodeId: "trial_d", text: "the timer of 3 days", count: 1 }],
    });
    expect(Date.parse(answer.until) - Date.parse(answer.from)).toBe(7 * DAY);
    const texts = answer.contacts.map((one: { email: string; text: string }) => [
      one.email,
      one.text.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, "T"),
    ]);
    expect(texts).toEqual([
      [
        "ada@example.com",
        "Entered at T and got 1 mail; 1 mail could not be sent. The contact went through the whole workflow.",
      ],
      [
        "bob@example.com",
        'Entered at T and got 1 mail. The contact left the workflow at a filter that it did not match: "plan" must be "pro", and was "free".',
      ],
      [
        "cem@example.com",
        "Entered at T and got 1 mail. The contact waits at the timer of 3 days. Its next step is due at T.",
      ],
    ]);
    expect(answer.notes.join(" ")).toMatch(/as they are now.*other triggers.*deleted/);
    expect(await world.team.everything()).toBe(before);
  });

  it("plays one day when it is not told more, and leaves out deleted contacts", async () => {
    const workflow = await addGraph(world.team, trial());
    for (const name of ["ada", "bob", "cem"]) await world.person(name);
    await event("ada");
    advance(DAY);
    await event("bob");
    await event("cem");
    await world.team.post("/contacts/delete", { email: "cem@example.com" });
    expect(await played(workflow)).toMatchObject({ events: 1, entered: 1, contacts: [{ email: "bob@example.com" }] });
    expect(await played(workflow, {})).toMatchObject({ events: 1 });
    expect(await played(workflow, { days: 1.5 })).toMatchObject({ events: 2, entered: 2 });
  });

  it("counts passages from before its time, and plays those of its time again", async () => {
    const workflow = await addGraph(world.team, trial());
    for (const name of ["ada", "bob"]) await world.person(name, { plan: "pro" });
    await world.control(workflow, "start");
    await event("ada");
    await work(world.team);
    advance(2 * DAY);
    await event("ada");
    await event("bob");
    await work(world.team);
    const recent = await played(workflow, { days: 1 });
    expect(recent).toMatchObject({ events: 2, entered: 1, notEntered: { entered_before: 1 } });
    expect(await played(workflow, { days: 3 })).toMatchObject({
      events: 3,
      entered: 2,
      notEntered: { entered_before: 1 },
      ended: {},
      mails: [
        { nodeId: "trial_e0", count: 2, notSent: 0 },
        { nodeId: "trial_e1", count: 0, notSent: 0 },
      ],
    });
  });

  it("knows which mails the contact had by then", async () => {
    const wasSent = (id: string, next: string): Line => {
      const condition = { type: "activity", action: "sent", negate: true, target: "workflowEmail", id: "msg_trial_e0" };
      return [id, "AudienceFilter", [next], { audienceFilter: { match: "all", conditions: [condition] } }];
    };
    const graph = graphNamed("trial", onEvent("seen", "f", { reEligible: true }), wasSent("f", "e0"), mail("e0", "x"));
    const workflow = await addGraph(world.team, graph);
    await world.person("ada");
    await world.control(workflow, "start");
    await event("ada", "seen");
    await work(world.team);
    advance(2 * DAY);
    await event("ada", "seen");
    advance(1_000);
    await event("ada", "seen");
    expect(await played(workflow, { days: 1 })).toMatchObject({ entered: 2, ended: { filtered: 2 } });
    expect(await played(workflow, { days: 3 })).toMatchObject({ entered: 3, ended: { completed: 1, filtered: 2 } });
  });

  it("plays the newest events where there are too many, and says so", async () => {
    const workflow = await addGraph(world.team, trial({ reEligible: true }));
    await world.person("ada");
    for (let i = 0; i < 5; i += 1) {
      await event("ada");
      advance(60_000);
    }
    const input = { team: "t", workflowId: workflow, days: 1 };
    const answer = await world.team.inside((sql) => dryRun(contextOf(sql), input, 3));
    const [third] = await world.team.rows("SELECT at FROM events ORDER BY n LIMIT 1 OFFSET 2");
    const from = new Date(Number(third?.at)).toISOString();
    expect(answer).toMatchObject({ body: { events: 3, entered: 3, from } });
    expect((answer as { body: { notes: string[] } }).body.notes[0]).toBe(
      `There are more than 3 events. The newest 3 were played, from ${from} on.`,
    );
    const all = await world.team.inside((sql) => dryRun(contextOf(sql), input, 5));
    expect(all).toMatchObject({
      body: { events: 5, entered: 5, contacts: [{ text: expect.stringContaining("5 times") }] },
    });
  });

  it.each([
    [{ days: 0 }, "days"],
    [{ days: -1 }, "days"],
    [{ days: 30.5 }, "days"],
    [{ days: "soon" }, "days"],
    [{ more: 1 }, "more"],
  ])("refuses %j", async (body, path) => {
    const workflow = await addGraph(world.team, trial());
    const { status, json } = await ask(workflow, body);
    expect([status, json.code, json.path]).toEqual([400, "invalid_request", path]);
    expect(json.message).toContain(path);
  });

  it.each<[Line, string]>([
    [["t", "SignupTrigger", ["x"]], "it starts with the creation of a contact"],
    [["t", "BlankTrigger", ["x"]], "its trigger is not complete"],
    [["t", "EventTrigger", ["x"], { eventName: null }], "its trigger is not complete"],
  ])("refuses a workflow with the trigger %j", async (trigger, why) => {
    const workflow = await addGraph(world.team, graphNamed("other", trigger));
    const { status, json } = await ask(workflow);
    expect([status, json.code, json.path]).toEqual([400, "no_event_trigger", "workflowId"]);
    expect(json.message).toContain(why);
  });

  it("is of a workflow of this team", async () => {
    const workflow = await addGraph(world.team, trial());
    const other = await createTeam({ id: "other" });
    for (const [team, id] of [
      [world.team, "wfl_none"],
      [other, workflow],
    ] as const) {
      const { status, json } = await team.admin("POST", `/workflows/${id}/dry-run`, {});
      expect([status, json.code, json.path]).toEqual([404, "workflow_not_found", "workflowId"]);
    }
  });
});
