import { advance } from "../../../bench.ts";
import { DAY, startUnready, work } from "./bench.ts";
import { onEvent, type Scenario, wait } from "./scenario.ts";

const graph = (name: string, more: object = {}) => [onEvent(name, "d", more), wait("x")];
const changed = { key: "plan", was: { operator: "any", value: "" }, is: { operator: "equal", value: "pro" } };

/** A contact for each reason not to be in a workflow. */
export const entries: Record<string, Scenario> = {
  entry_no_trigger: {
    graph: graph("entry_no_trigger"),
    async play({ person, control }, name, workflow) {
      await person(name);
      await control(workflow, "start");
    },
  },
  entry_draft: {
    graph: graph("entry_draft"),
    async play({ person, event }, name) {
      await person(name);
      await event(name);
    },
  },
  entry_before_the_start: {
    graph: graph("entry_before_the_start"),
    async play({ person, event, control }, name, workflow) {
      await person(name);
      await event(name);
      await control(workflow, "start");
    },
  },
  entry_paused: {
    graph: graph("entry_paused"),
    async play({ person, event, control }, name, workflow) {
      await person(name);
      await control(workflow, "start");
      await control(workflow, "pause");
      advance(DAY);
      await event(name);
    },
  },
  entry_stopped: {
    graph: graph("entry_stopped"),
    async play({ person, event, control }, name, workflow) {
      await person(name);
      await control(workflow, "start");
      await control(workflow, "stop");
      await event(name);
    },
  },
  entry_other_case: {
    graph: graph("entry_other_case"),
    async play({ person, event, control }, name, workflow) {
      await person(name);
      await control(workflow, "start");
      await event(name, {}, "Entry_Other_Case");
    },
  },
  entry_stopped_then_started: {
    graph: graph("entry_stopped_then_started"),
    async play({ person, event, control }, name, workflow) {
      await person(name);
      await control(workflow, "start");
      await control(workflow, "stop");
      await event(name);
      await control(workflow, "start");
    },
  },
  entry_unsubscribed: {
    graph: graph("entry_unsubscribed"),
    async play({ person, event, control }, name, workflow) {
      await person(name, { subscribed: false });
      await control(workflow, "start");
      await event(name);
    },
  },
  entry_not_confirmed: {
    graph: graph("entry_not_confirmed"),
    async play({ team, person, event, control }, name, workflow) {
      await team.admin("POST", "", { doubleOptIn: true });
      await person(name);
      await team.admin("POST", "", { doubleOptIn: false });
      await control(workflow, "start");
      await event(name);
    },
  },
  entry_not_on_list: {
    graph: graph("entry_not_on_list"),
    onList: true,
    async play({ list, person, event, control }, name, workflow) {
      await person(name, { mailingLists: { [list]: false } });
      await control(workflow, "start");
      await event(name);
    },
  },
  entry_unsubscribed_then: {
    graph: graph("entry_unsubscribed_then"),
    async play({ person, change, event, control }, name, workflow) {
      await person(name, { subscribed: false });
      await control(workflow, "start");
      await event(name);
      await change(name, { subscribed: true });
    },
  },
  entry_once: {
    graph: graph("entry_once"),
    async play(world, name, workflow) {
      await world.begin(name, workflow);
      await world.after(3);
      await world.event(name);
      await work(world.team);
    },
  },
  entry_again: {
    graph: graph("entry_again", { reEligible: true }),
    async play(world, name, workflow) {
      await world.begin(name, workflow);
      await world.after(3);
      await world.event(name);
      await work(world.team);
    },
  },
  entry_another_trigger: {
    graph: graph("entry_another_trigger"),
    async play({ team, person, event, control, edit }, name, workflow) {
      await person(name);
      await edit(workflow, "POST", `/nodes/${name}_t`, { payload: { eventName: "other" } });
      await control(workflow, "start");
      await event(name);
      await control(workflow, "pause");
      await edit(workflow, "POST", `/nodes/${name}_t`, { payload: { eventName: name } });
      await control(workflow, "start");
      await work(team);
    },
  },
  entry_without_a_trigger: {
    graph: [["t", "BlankTrigger", ["x"]]],
    async play({ team, person }, name, workflow) {
      await person(name);
      await startUnready(team, workflow);
    },
  },
  entry_created_before: {
    graph: [["t", "SignupTrigger", ["x"]]],
    async play({ person, control }, name, workflow) {
      await person(name);
      await control(workflow, "start");
    },
  },
  entry_joined_before: {
    graph: [["t", "AddToListTrigger", ["x"]]],
    onList: true,
    async play({ person, control }, name, workflow) {
      await person(name);
      await control(workflow, "start");
    },
  },
  entry_changed_before: {
    graph: [["t", "ContactPropertyTrigger", ["x"], { contactPropertyQuery: changed }]],
    async play({ person, control }, name, workflow) {
      await person(name, { plan: "pro" });
      await control(workflow, "start");
    },
  },
};
