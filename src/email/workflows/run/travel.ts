import { DAY_MS } from "../../../lib/util/dates.ts";
import type { Action } from "../../audience/facts.ts";
import { node } from "../graph/edges.ts";
import type { Graph } from "../graph/types.ts";
import type { StoredRun } from "./explain.ts";
import { type Explanation, explain } from "./explain.ts";
import { type FlowTeam, flowOf } from "./flow.ts";
import { step } from "./step.ts";
import type { QueuedMail, RunContact, RunFacts } from "./types.ts";
import type { SubjectOf } from "./words.ts";

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

/** A scenario to play. `from`: Unix ms of the moment when the contact enters. `rowOf`: row number of a message. */
export type Scenario = {
  graph: Graph;
  list: string | null;
  team: FlowTeam;
  contact: RunContact;
  hasActivity: RunFacts["hasActivity"];
  assume: readonly Assumption[];
  from: number;
  days: number;
  subjectOf: SubjectOf;
  rowOf(message: string): number | undefined;
};

/** A scenario's run, its mails with their times in Unix ms, and what happened as an explanation. */
export type Travelled = Explanation & { run: StoredRun; mails: (QueuedMail & { at: number })[] };

/**
 * Plays a workflow for one contact through the coming days, with the steps of the engine. A mail counts as sent when it is queued.
 * Pure: nothing is stored or sent.
 */
export const travel = (scenario: Scenario): Travelled => {
  const { graph, list, team, from, days, subjectOf } = scenario;
  const flow = flowOf(graph, list, team);
  const assume = scenario.assume.map((one) => ({ ...one, at: from + one.day * DAY_MS })).sort((a, b) => a.at - b.at);
  const mails: Travelled["mails"] = [];
  let contact = scenario.contact;
  let run: StoredRun = {
    ...{ node: node(graph, graph.root).k, since: from, path: [] },
    enteredAt: from,
    wake: from,
    ended: null,
  };
  const done = (action: Action, now: number): readonly string[] =>
    action === "sent"
      ? mails.map(({ message }) => message)
      : assume.flatMap((one) => (one.at <= now ? (one[action] ?? []) : []));
  let next = 0;
  while (run.wake !== null && run.wake <= from + days * DAY_MS) {
    const now = run.wake;
    for (let one = assume[next]; one !== undefined && one.at <= now; one = assume[++next])
      contact = one.contact?.(contact) ?? contact;
    const facts: RunFacts = {
      contact,
      hasActivity: (messages, action) =>
        scenario.hasActivity(messages, action) ||
        done(action, now).some((message) => messages.includes(scenario.rowOf(message) ?? -1)),
    };
    const { visits, mails: queued, position } = step(flow, run, facts, now);
    mails.push(...queued.map((mail) => ({ ...mail, at: now })));
    run = { ...run, wake: null, ...position, path: [...run.path, ...visits] };
  }
  const versions = [{ at: from, graph }];
  const explained = mails.map(({ message }) => ({ message, meaning: "It would be sent at once." }));
  return { run, mails, ...explain({ run, versions, mails: explained, subjectOf, now: from + days * DAY_MS }) };
};
