import { DAY_MS } from "../../../../lib/util/dates.ts";
import { node } from "../../../../lib/workflow-graph/edges.ts";
import type { Graph } from "../../../../lib/workflow-graph/types.ts";
import type { Action } from "../../segments/facts.ts";
import type { StoredRun } from "./explain.ts";
import { type Explanation, explain } from "./explain.ts";
import { type FlowTeam, flowOf } from "./flow.ts";
import { step } from "./step.ts";
import type { Flow, QueuedMail, RunContact, RunFacts } from "./types.ts";
import type { NameOf } from "./words.ts";

/**
 * What is assumed to happen on a day, counted from the start. `contact`: the contact from then on. `opened`, `clicked`: ids of messages
 * that the contact opens or clicks then.
 */
export type Assumption = {
  day: number;
  contact?: (before: RunContact) => RunContact;
  opened?: readonly string[];
  clicked?: readonly string[];
};

/** Whether a mail would be sent, and in a sentence why or why not. */
export type Prospect = { isSent: boolean; text: string };

/**
 * A scenario to play. `from`: Unix ms of the moment when the contact enters. `hasActivity`: what the contact has done up to a time.
 * `rowOf`: row number of a message. `prospectOf`: of a mail to the contact as it is then.
 */
export type Scenario = {
  graph: Graph;
  list: string | null;
  team: FlowTeam;
  contact: RunContact;
  hasActivity(...of: [...Parameters<RunFacts["hasActivity"]>, now: number]): boolean;
  assume: readonly Assumption[];
  from: number;
  days: number;
  nameOf: NameOf;
  rowOf(message: string): number | undefined;
  prospectOf?(message: string, contact: RunContact): Prospect;
};

const SENT: Prospect = { isSent: true, text: "It would be sent at once." };

/** A scenario's run, its mails with their times in Unix ms, the number of its steps, and what happened as an explanation. */
export type Travelled = Explanation & {
  run: StoredRun;
  mails: (QueuedMail & Prospect & { at: number })[];
  steps: number;
};

/** A run that has just entered at `at` (Unix ms). */
export const enteredRun = (graph: Graph, at: number): StoredRun => ({
  node: node(graph, graph.root).k,
  since: at,
  path: [],
  enteredAt: at,
  wake: at,
  ended: null,
});

/** Does one step of a run, and gives the run as it is then, with the mails of the step. */
export const moveOn = (
  flow: Flow,
  run: StoredRun,
  facts: RunFacts,
  now: number,
): { run: StoredRun; mails: QueuedMail[] } => {
  const { visits, mails, position } = step(flow, run, facts, now);
  // `since` of an ended run is the time of its end.
  return { run: { ...run, wake: null, since: now, ...position, path: [...run.path, ...visits] }, mails };
};

/**
 * Plays a workflow for one contact through the coming days, with the steps of the engine. A mail counts as sent from the next step on.
 * Pure: nothing is stored or sent.
 */
export const travel = (scenario: Scenario): Travelled => {
  const { graph, list, team, from, days, nameOf, prospectOf = () => SENT } = scenario;
  const flow = flowOf(graph, list, team);
  const assume = scenario.assume.map((one) => ({ ...one, at: from + one.day * DAY_MS })).sort((a, b) => a.at - b.at);
  const mails: Travelled["mails"] = [];
  let contact = scenario.contact;
  let run = enteredRun(graph, from);
  const done = (action: Action, now: number): readonly string[] =>
    action === "sent"
      ? mails.flatMap(({ isSent, message }) => (isSent ? [message] : []))
      : assume.flatMap((one) => (one.at <= now ? (one[action] ?? []) : []));
  let next = 0;
  let steps = 0;
  while (run.wake !== null && run.wake <= from + days * DAY_MS) {
    const now = run.wake;
    for (let one = assume[next]; one !== undefined && one.at <= now; one = assume[++next])
      contact = one.contact?.(contact) ?? contact;
    const facts: RunFacts = {
      contact,
      hasActivity: (messages, action) =>
        scenario.hasActivity(messages, action, now) ||
        done(action, now).some((message) => messages.includes(scenario.rowOf(message) ?? -1)),
    };
    const moved = moveOn(flow, run, facts, now);
    mails.push(...moved.mails.map((mail) => ({ ...mail, ...prospectOf(mail.message, facts.contact), at: now })));
    steps += 1;
    run = moved.run;
  }
  const versions = [{ at: from, graph }];
  const explained = mails.map(({ message, text }) => ({ message, meaning: text }));
  return { run, mails, steps, ...explain({ run, versions, mails: explained, nameOf, now: from + days * DAY_MS }) };
};
