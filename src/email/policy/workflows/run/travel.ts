import { DAY_MS } from "../../../../lib/util/dates.ts";
import { node } from "../../../../lib/workflow-graph/edges.ts";
import type { Graph } from "../../../../lib/workflow-graph/types.ts";
import type { Action } from "../../segments/facts.ts";
import type { StoredRun } from "./explain.ts";
import { type Explanation, explain } from "./explain.ts";
import { type FlowTeam, flowOf } from "./flow.ts";
import type { NameOf } from "./run-words.ts";
import { step } from "./step.ts";
import type { Flow, QueuedMail, RunContact, RunFacts } from "./types.ts";

/** Assumed activity on a day, counted from the start. `opened`, `clicked`: message ids. */
export type Assumption = {
  day: number;
  contact?: (before: RunContact) => RunContact;
  opened?: readonly string[];
  clicked?: readonly string[];
};

export type Prospect = { isSent: boolean; text: string };

/** `from`: entry time, Unix ms. `hasActivity`: past activity. `rowOf`: row of a message. */
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

/** Mail times are Unix ms. */
export type Traveled = Explanation & {
  run: StoredRun;
  mails: (QueuedMail & Prospect & { at: number })[];
  steps: number;
};

/** Creates a run that entered at `at` (Unix ms). */
export const enteredRun = (graph: Graph, at: number): StoredRun => ({
  node: node(graph, graph.root).k,
  since: at,
  path: [],
  enteredAt: at,
  wake: at,
  ended: null,
});

export const moveOn = (
  flow: Flow,
  run: StoredRun,
  facts: RunFacts,
  now: number,
): { run: StoredRun; mails: QueuedMail[] } => {
  const { visits, mails, position } = step(flow, run, facts, now);
  return { run: { ...run, wake: null, since: now, ...position, path: [...run.path, ...visits] }, mails };
};

/** Simulates a workflow for one contact. Pure. A mail counts from the next step. */
export const travel = (scenario: Scenario): Traveled => {
  const { graph, list, team, from, days, nameOf, prospectOf = () => SENT } = scenario;
  const flow = flowOf(graph, list, team);
  const assume = scenario.assume
    .map((assumption) => ({ ...assumption, at: from + assumption.day * DAY_MS }))
    .sort((a, b) => a.at - b.at);
  const mails: Traveled["mails"] = [];
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
