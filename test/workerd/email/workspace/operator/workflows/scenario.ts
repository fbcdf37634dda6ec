import { expect } from "vitest";
import { advance, createTeam, type Team } from "../../../bench.ts";
import { addGraph, control, DAY, graphNamed, type Line, type Mail, stored, work } from "./bench.ts";

/** A team with a mailing list and a property "plan", and requests about a named contact. */
export const createWorld = async () => {
  const team: Team = await createTeam();
  await team.post("/contacts/properties", { name: "plan", type: "string" });
  const list: string = (await team.admin("POST", "/lists", { name: "News" })).json.id;
  const email = (name: string) => `${name}@example.com`;
  const after = async (days: number) => {
    advance(days * DAY + 1_000);
    await work(team);
  };
  const edit = async (workflow: string, method: string, path: string, body: object) => {
    advance(1_100);
    const expectedRevisionId = (await team.send("GET", `/workflows/${workflow}`)).json.workflowRevisionId;
    const { status, text } = await team.send(method, `/workflows/${workflow}${path}`, {
      body: { expectedRevisionId, ...body },
    });
    expect(status, text).toBe(200);
  };
  const world = {
    team,
    list,
    after,
    edit,
    person: (name: string, more: object = {}) =>
      team.post("/contacts/create", { email: email(name), userId: name, mailingLists: { [list]: true }, ...more }),
    change: (name: string, more: object) => team.put("/contacts/update", { email: email(name), ...more }),
    event: (name: string, eventProperties: object = {}, eventName = name) =>
      team.post("/events/send", { email: email(name), eventName, eventProperties }),
    control: (workflow: string, what: "start" | "pause" | "stop") => control(team, workflow, what),
    async begin(name: string, workflow: string, more: object = {}) {
      await world.person(name, more);
      await world.control(workflow, "start");
      await world.event(name);
      await work(team);
    },
    graphOf: (workflow: string) => team.inside((sql) => stored(sql, workflow).graph),
    explain: async (workflow: string, contact: string) => {
      const path = `/workflows/${workflow}/contacts/${encodeURIComponent(contact)}`;
      const { status, json, text } = await team.admin("GET", path);
      expect(status, text).toBe(200);
      return json;
    },
  };
  return world;
};
export type World = Awaited<ReturnType<typeof createWorld>>;

/** An act on a contact and a workflow with the scenario's name. `onList`: the workflow has the list. */
export type Scenario = {
  graph: Line[];
  onList?: boolean;
  mails?: Record<string, Mail>;
  play(world: World, name: string, workflow: string): Promise<unknown>;
};

/** Plays a scenario and returns the id of its workflow. */
export const play = async (world: World, name: string, { graph, onList, mails = {}, play: act }: Scenario) => {
  const own = Object.fromEntries(Object.entries(mails).map(([node, mail]) => [`${name}_${node}`, mail]));
  const workflow = await addGraph(world.team, graphNamed(name, ...graph), onList ? world.list : null, own);
  await act(world, name, workflow);
  return workflow;
};

/** The event of the scenario's name. `next`: the node after it. */
export const onEvent = (name: string, next: string, more: object = {}): Line => {
  const fields = { eventName: name, ...more };
  return ["t", "EventTrigger", [next], fields];
};
export const wait = (next: string): Line => ["d", "TimerAction", [next], { amount: 3, unit: "d" }];
export const mail = (id: string, next: string): Line => [id, "SendEmailAction", [next]];
export const filter = (id: string, next: string, plan?: string, more: object = {}): Line => {
  const fields = { ...(plan === undefined ? {} : planIs(plan)), ...more };
  return [id, "AudienceFilter", [next], fields];
};
const planIs = (value: string) => ({
  audienceFilter: { match: "all", conditions: [{ type: "property", key: "plan", operator: "equals", value }] },
});
