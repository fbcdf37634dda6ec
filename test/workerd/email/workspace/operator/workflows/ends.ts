import { expect } from "vitest";
import { startUnready, work } from "./bench.ts";
import { filter, mail, onEvent, type Scenario, type World, wait } from "./scenario.ts";

type Happening = (world: World, name: string, workflow: string) => Promise<unknown>;

const waiting =
  (happen: Happening): Scenario["play"] =>
  async (world, name, workflow) => {
    await world.begin(name, workflow);
    await happen(world, name, workflow);
    await world.after(3);
  };

/** A contact for each end of a run, and each place of a run. */
export const ends: Record<string, Scenario> = {
  completed: {
    graph: [
      onEvent("completed", "e1"),
      mail("e1", "d"),
      wait("b"),
      ["b", "BranchNode", ["f1", "f2"]],
      filter("f1", "e2", "pro"),
      filter("f2", "e3"),
      mail("e2", "x"),
      mail("e3", "x"),
    ],
    play: waiting((world, name) => world.change(name, { plan: "pro" })),
  },
  filtered: {
    graph: [onEvent("filtered", "d"), wait("f"), filter("f", "x", "pro")],
    play: waiting((world, name) => world.change(name, { plan: "free" })),
  },
  filter_stopped: {
    graph: [
      onEvent("filter_stopped", "f"),
      filter("f", "d", "pro", { appliesDownstream: true }),
      wait("e"),
      mail("e", "x"),
    ],
    async play(world, name, workflow) {
      await world.begin(name, workflow, { plan: "pro" });
      await world.change(name, { plan: "free" });
      await world.after(3);
    },
  },
  no_branch: {
    graph: [
      onEvent("no_branch", "b"),
      ["b", "BranchNode", ["f1", "f2"]],
      filter("f1", "x", "pro"),
      filter("f2", "x", "team"),
    ],
    play: (world, name, workflow) => world.begin(name, workflow, { plan: "free" }),
  },
  not_sampled: {
    graph: [
      onEvent("not_sampled", "n"),
      ["n", "ExperimentBranchNode", ["v"], { samplingRate: 0 }],
      ["v", "VariantNode", ["x"]],
    ],
    async play({ team, person, event }, name, workflow) {
      await person(name);
      await startUnready(team, workflow);
      await event(name);
      await work(team);
    },
  },
  unsubscribed: {
    graph: [onEvent("unsubscribed", "d"), wait("x")],
    play: waiting((world, name) => world.change(name, { subscribed: false })),
  },
  not_confirmed: {
    graph: [onEvent("not_confirmed", "d"), wait("x")],
    play: waiting(async ({ team }, name) => {
      await team.admin("POST", "", { doubleOptIn: true });
      await team.put("/contacts/update", { userId: name, email: "not_confirmed_new@example.com" });
      await team.admin("POST", "", { doubleOptIn: false });
    }),
  },
  left_list: {
    graph: [onEvent("left_list", "d"), wait("x")],
    onList: true,
    play: waiting((world, name) => world.change(name, { mailingLists: { [world.list]: false } })),
  },
  list_changed: {
    graph: [onEvent("list_changed", "d"), wait("x")],
    play: waiting(async ({ team, control, edit }, _, workflow) => {
      const mailingListId = (await team.admin("POST", "/lists", { name: "Other" })).json.id;
      await control(workflow, "pause");
      await edit(workflow, "POST", "/mailing-list", { mailingListId, queuedContactPolicy: "discard" });
    }),
  },
  node_deleted: {
    graph: [onEvent("node_deleted", "d"), wait("x")],
    play: waiting(async ({ control, edit }, name, workflow) => {
      await control(workflow, "pause");
      await edit(workflow, "DELETE", `/nodes/${name}_d`, { queuedContactPolicy: "discard" });
    }),
  },
  removed: {
    graph: [onEvent("removed", "d"), wait("x")],
    play: waiting(async ({ team }, name, workflow) => {
      const { status, text } = await team.admin("POST", `/workflows/${workflow}/contacts/${name}/remove`);
      expect(status, text).toBe(200);
    }),
  },
  fault: {
    graph: [onEvent("fault", "d"), wait("e"), mail("e", "x")],
    async play({ team, begin, after }, name, workflow) {
      await begin(name, workflow);
      const path = `$.nodes.${name}_d.nextNodeIds`;
      await team.run(`UPDATE workflows SET graph = json_set(graph, ?, json('[]')) WHERE id = ?`, path, workflow);
      for (let failure = 0; failure < 5; failure += 1) await after(3);
    },
  },
  waits: {
    graph: [
      onEvent("waits", "z"),
      ["z", "TimerAction", ["n"], { amount: 0, unit: "m" }],
      ["n", "ExperimentBranchNode", ["c"], { samplingRate: 0 }],
      ["c", "VariantNode", ["d"], { isControl: true }],
      wait("x"),
    ],
    play: (world, name, workflow) => world.begin(name, workflow),
  },
  waits_in_a_pause: {
    graph: [onEvent("waits_in_a_pause", "d"), wait("x")],
    async play({ begin, control }, name, workflow) {
      await begin(name, workflow);
      await control(workflow, "pause");
    },
  },
  due_in_a_pause: {
    graph: [onEvent("due_in_a_pause", "d"), wait("x")],
    play: waiting(({ control }, _, workflow) => control(workflow, "pause")),
  },
  queued_in_a_pause: {
    graph: [onEvent("queued_in_a_pause", "d"), wait("x")],
    async play({ team, person, control, event }, name, workflow) {
      await person(name);
      await control(workflow, "start");
      await control(workflow, "pause");
      await event(name);
      await work(team);
    },
  },
  edited_later: {
    graph: [onEvent("edited_later", "d"), wait("f"), filter("f", "x", "pro")],
    async play({ begin, after, control, edit }, name, workflow) {
      await begin(name, workflow, { plan: "free" });
      await after(3);
      await control(workflow, "pause");
      await edit(workflow, "POST", `/nodes/${name}_d`, { payload: { amount: 9 } });
      await edit(workflow, "POST", `/nodes/${name}_f`, { payload: { audienceFilter: null } });
      await control(workflow, "start");
    },
  },
};
