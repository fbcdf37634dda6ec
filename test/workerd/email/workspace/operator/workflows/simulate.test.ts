import { beforeEach, describe, expect, it } from "vitest";
import { readWorkflow } from "../../../../../../scripts/workflow/file/read.ts";
import { advance, isolated, runAlarm, type Team } from "../../../bench.ts";
import { addGraph, DAY, graphNamed } from "./bench.ts";
import { createWorld, filter, mail, onEvent, type World, wait } from "./scenario.ts";

isolated();

let world: World;
let workflow: string;

const trial = () =>
  graphNamed(
    "trial",
    onEvent("trialStarted", "e0"),
    mail("e0", "d"),
    wait("b"),
    ["b", "BranchNode", ["f1", "f2"]],
    filter("f1", "e1", "pro"),
    filter("f2", "e2"),
    mail("e1", "w"),
    mail("e2", "w"),
    ["w", "TimerAction", ["f3"], { amount: 36, unit: "h" }],
    filter("f3", "e3", "pro"),
    mail("e3", "l"),
    ["l", "TimerAction", ["x"], { amount: 30, unit: "d" }],
  );

beforeEach(async () => {
  world = await createWorld();
  workflow = await addGraph(world.team, trial(), null, { trial_e1: { subject: "Thank you, {contact.firstName}" } });
});

type Simulated = {
  entered: boolean;
  reason?: { code: string; text: string };
  lines: { at: string; day: number; nodeId: string | null; text: string }[];
  mails: { day: number; nodeId: string; isSent: boolean; text: string }[];
  end: { code: string; text: string } | null;
};
const ask = (body: object) => world.team.admin("POST", `/workflows/${workflow}/simulate`, body);
const simulate = async (body: object): Promise<Simulated> => {
  const { status, json, text } = await ask(body);
  expect(status, text).toBe(200);
  return json;
};

describe("a simulation", () => {
  it("plays a draft for a contact that the team does not have, and writes nothing", async () => {
    const before = await world.team.everything();
    const { entered, mails, end, lines } = await simulate({
      properties: { email: "new@example.com", firstName: "Ada" },
      assume: { "2": { plan: "pro" }, "4": { plan: "free" } },
    });
    expect(entered).toBe(true);
    expect(mails.map(({ day, nodeId, isSent }) => [day, nodeId, isSent])).toEqual([
      [0, "trial_e0", true],
      [3, "trial_e1", true],
    ]);
    expect(end).toEqual({
      code: "filtered",
      text: 'The contact left the workflow at a filter that it did not match: "plan" must be "pro", and was "free".',
    });
    expect(lines.filter(({ nodeId }) => nodeId === null).map(({ day, text }) => [day, text])).toEqual([
      [0, "Entered the workflow."],
      [2, 'Assumed: "plan" becomes "pro".'],
      [4, 'Assumed: "plan" becomes "free".'],
    ]);
    expect(await world.team.everything()).toBe(before);
  });

  it("says which mails would not be sent", async () => {
    const { mails } = await simulate({ assume: { "1": { plan: "pro" } } });
    expect(mails.map(({ text }) => text)).toEqual(
      Array(3).fill("It would not be sent, because the contact had no address."),
    );
    await world.person("ada", { plan: "pro" });
    const { mails: known } = await simulate({ contact: "ada" });
    expect(known[1]?.text).toMatch(/^It would not be sent: No value for contact\.firstName/);
  });

  it("applies the rules of the entry to a contact", async () => {
    await world.person("ada");
    await world.person("bob", { subscribed: false });
    await world.control(workflow, "start");
    const reasons = async (body: object) => (await simulate(body)).reason?.code;
    expect(await reasons({ contact: "ada@example.com", event: { name: "trialStarted" } })).toBeUndefined();
    expect(await reasons({ contact: "ada@example.com", event: { name: "other" } })).toBe("no_trigger");
    expect(await reasons({ contact: "bob" })).toBe("unsubscribed");
    await world.team.post("/events/send", { email: "ada@example.com", eventName: "trialStarted" });
    expect(await reasons({ contact: "ada" })).toBe("entered_before");
  });

  it.each([
    [{ contact: "nobody@example.com" }, 404, "contact_not_found", "contact"],
    [{ contact: "con_nobody" }, 404, "contact_not_found", "contact"],
    [{ properties: { plam: "pro" } }, 400, "unknown_property", "properties.plam"],
    [{ properties: { plan: 5 } }, 400, "wrong_property_type", "properties.plan"],
    [{ properties: { plan: {} } }, 400, "invalid_request", "properties.plan"],
    [{ properties: { mailingLists: { lst_x: true } } }, 400, "unknown_mailing_list", "properties.mailingLists.lst_x"],
    [{ properties: { email: "no address" } }, 400, "invalid_request", "properties.email"],
    [{ assume: { "3": { plan: true } } }, 400, "wrong_property_type", "assume.3.plan"],
    [{ assume: { "-1": { plan: "pro" } } }, 400, "invalid_request", "assume.-1"],
    [{ assume: { "61": { plan: "pro" } } }, 400, "invalid_request", "assume.61"],
    [{ assume: { soon: { plan: "pro" } } }, 400, "invalid_request", "assume.soon"],
    [{ assume: { "3": { opened: ["msg_x"] } } }, 404, "email_message_not_found", "assume.3.opened.0"],
    [{ days: 731 }, 400, "invalid_request", "days"],
    [{ days: 0 }, 400, "invalid_request", "days"],
    [{ at: "2026-01-01" }, 400, "invalid_request", "at"],
    [{ event: { plan: "pro" } }, 400, "invalid_request", "event.name"],
    [{ more: 1 }, 400, "invalid_request", "more"],
  ])("refuses %j", async (body, status, code, path) => {
    const answer = await ask(body);
    expect([answer.status, answer.json.code, answer.json.path]).toEqual([status, code, path]);
  });

  it("creates no property for a team that creates them from values", async () => {
    await world.team.admin("POST", "", { createProperties: true });
    expect((await ask({ properties: { seats: 5 } })).json).toMatchObject({ code: "unknown_property" });
    expect(await world.team.rows("SELECT name FROM properties WHERE name = 'seats'")).toEqual([]);
  });

  it("is of a workflow of this team", async () => {
    const { status, json } = await world.team.admin("POST", "/workflows/wfl_none/simulate", {});
    expect([status, json.code]).toEqual([404, "workflow_not_found"]);
    const other = await world.team.admin("GET", "/workflows/wfl_none/contacts/ada");
    expect([other.status, other.json.code]).toEqual([404, "workflow_not_found"]);
  });
});

const seen = (lines: Simulated["lines"]) =>
  lines
    .filter(({ text }) => !text.startsWith("Assumed"))
    .map(({ at: time, nodeId, text }) => [time, nodeId, text.replace(/^(Queued the mail ".*"\.).*/, "$1")]);

describe("60 simulated days", () => {
  const changes: Record<string, object>[] = [
    {},
    { "1": { plan: "pro", firstName: "Ada" } },
    { "1": { plan: "pro" }, "3.5": { plan: "free" } },
    { "2": { plan: "pro", firstName: "Ada" }, "4": { subscribed: false } },
    { "0.5": { subscribed: false }, "2": { subscribed: true } },
  ];

  it.each(changes.map((assume) => [assume] as const))(
    "equal what the engine does when its clock moves through them: %j",
    async (assume) => {
      await world.person("ada");
      await world.control(workflow, "start");
      const at = Date.now() + 100;
      const simulated = await simulate({ contact: "ada", event: { name: "trialStarted" }, assume, at });
      await world.team.post("/events/send", { email: "ada@example.com", eventName: "trialStarted" });
      expect(Date.now()).toBe(at);
      const due = Object.entries(assume).map(([day, change]) => ({ at: at + Number(day) * DAY, change }));
      for (;;) {
        await runAlarm(world.team.stub);
        const [run] = await world.team.rows("SELECT wake FROM runs");
        const next = Math.min(...due.map((one) => one.at), Number(run?.wake ?? Number.POSITIVE_INFINITY));
        if (next > at + 60 * DAY) break;
        // The request comes 100 ms after its clock time.
        const change = due.findIndex((one) => one.at === next);
        advance(next - Date.now() - (change === -1 ? 0 : 100));
        if (change === -1) continue;
        const [{ change: values } = { change: {} }] = due.splice(change, 1);
        await world.change("ada", values);
      }
      const [told] = (await world.explain(workflow, "ada")).runs;
      expect(seen(told.lines)).toEqual(seen(simulated.lines));
      expect({ code: told.code, text: told.text }).toEqual(simulated.end);
      const sent = await world.team.rows("SELECT sent_at IS NOT NULL AS sent FROM engagement ORDER BY send");
      expect(sent.map((mail) => mail.sent === 1)).toEqual(simulated.mails.map(({ isSent }) => isSent));
    },
  );
});

const addSample = async (team: Team): Promise<string> => {
  const files = import.meta.glob<string>("../../../../../../src/email/samples/workflows/*", {
    import: "default",
    query: "?raw",
  });
  const texts = new Map<string, string>();
  for (const [path, read] of Object.entries(files)) texts.set(path.split("/").at(-1) ?? "", await read());
  const load = (name: string): string => texts.get(name.replace(".//", "")) ?? "";
  const names = { lists: new Map<string, string>(), segments: new Map<string, string>() };
  const { graph, list, messages } = readWorkflow("trial.yaml", load("trial.yaml"), { names, load });
  const mails = Object.entries(graph.nodes).flatMap(([id, one]) =>
    one.typeName === "SendEmailAction" ? [[id, messages[one.emailMessageId] ?? {}] as const] : [],
  );
  const nodes = Object.entries(graph.nodes).map(([id, one], position) => [id, { ...one, k: position + 1 }] as const);
  const numbered = { ...graph, lastK: nodes.length, nodes: Object.fromEntries(nodes) };
  return addGraph(team, numbered, list, Object.fromEntries(mails));
};

it("60 simulated days of the sample workflow equal what the engine does", async () => {
  const sample = await addSample(world.team);
  await world.person("ada", { firstName: "Ada" });
  await world.control(sample, "start");
  const at = Date.now() + 100;
  const asked = { contact: "ada", event: { name: "trialStarted" }, assume: { "2": { plan: "Pro" } }, at };
  const { json: simulated } = await world.team.admin("POST", `/workflows/${sample}/simulate`, asked);
  await world.team.post("/events/send", { email: "ada@example.com", eventName: "trialStarted" });
  await runAlarm(world.team.stub);
  advance(2 * DAY - 100);
  await world.change("ada", { plan: "Pro" });
  for (;;) {
    const [run] = await world.team.rows("SELECT wake FROM runs");
    if (run?.wake === null) break;
    advance(Number(run?.wake) - Date.now());
    await runAlarm(world.team.stub);
  }
  const [told] = (await world.explain(sample, "ada")).runs;
  expect(seen(told.lines)).toEqual(seen(simulated.lines));
  expect({ code: told.code, text: told.text }).toEqual(simulated.end);
  expect(simulated.end.code).toBe("completed");
  expect(simulated.mails.map(({ day, subject }: { day: number; subject: string }) => [day, subject])).toEqual([
    [3, "Three things to try on {event.plan}"],
    [7, "Half of your trial is left"],
  ]);
});
