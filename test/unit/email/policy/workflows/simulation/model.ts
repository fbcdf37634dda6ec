import type { Graph, WorkflowNode, WorkflowStatus } from "../../../../../../src/lib/workflow-graph/types.ts";
import { gateOf, isUnconfirmed, type MessagesOf, type ModelActivity, type ModelContact, meets } from "./people.ts";

const DAY = 86_400_000;
const UNITS = { m: 60_000, h: 3_600_000, d: DAY };

export type ModelWorkflow = {
  n: number;
  id: string;
  revision: string;
  status: WorkflowStatus;
  pausedAt: number;
  list: string | null;
  graph: Graph;
};
/** The settings that decide entry and moves, known from the requests. `pausedAt`: Unix ms, 0 before a pause. */
type ModelSettings = Pick<ModelWorkflow, "status" | "pausedAt" | "list">;

export type ModelRun = {
  key: string;
  contact: number;
  workflow: number;
  seq: number;
  node: number;
  since: number;
  wake: number | null;
  ended: string | null;
  path: number[];
  failures: number;
};

/** The state of the model. Plain data, so that a crash can restore its durable state. */
export type ModelState = {
  runs: Record<string, ModelRun>;
  /** Contacts that were ever in a workflow, as "contact workflow". */
  ever: Record<string, true>;
  /** Mails, as "message contact seq". */
  mails: string[];
  variants: Record<string, number>;
  entered: Record<number, number>;
  settings: Record<number, ModelSettings>;
  /** Ended runs and dropped contacts, by "workflow ended reason" and "workflow dropped reason". */
  counts: Record<string, number>;
  /** Contacts that left a node, by "workflow node next" or "workflow node reason", both nodes by their k. */
  passed: Record<string, number>;
  accepted: Record<string, number>;
};

export const emptyModel = (): ModelState => ({
  runs: {},
  ever: {},
  mails: [],
  variants: {},
  entered: {},
  settings: {},
  counts: {},
  passed: {},
  accepted: {},
});

const count = (state: ModelState, key: string): void => {
  state.counts[key] = (state.counts[key] ?? 0) + 1;
};

/** Starts, pauses or stops a workflow. A stop in a pause keeps the time of the pause. */
export const control = (state: ModelState, n: number, what: "start" | "pause" | "stop", now: number): void => {
  const before = state.settings[n];
  if (!before) throw new Error(`The model has no workflow ${n}.`);
  const status = { start: "Sending", pause: "PausedAndQueueing", stop: "Paused" } as const;
  const pausedAt = what === "start" ? 0 : before.pausedAt || now;
  state.settings[n] = { ...before, status: status[what], pausedAt };
};

export const leave = (state: ModelState, { workflow, node }: ModelRun, to: number | string): void => {
  const key = `${workflow} ${node} ${to}`;
  state.passed[key] = (state.passed[key] ?? 0) + 1;
};

export const finish = (state: ModelState, run: ModelRun, ended: string, now: number): void => {
  Object.assign(run, { since: now, wake: null, ended });
  count(state, `${run.workflow} ended ${ended}`);
};

const keyOf = (contact: number, workflow: number, seq: number) => `${contact} ${workflow} ${seq}`;

const runsOf = (state: ModelState, contact: number, workflow: number): ModelRun[] =>
  Object.values(state.runs).filter((run) => run.contact === contact && run.workflow === workflow);

const lastSeq = (runs: readonly ModelRun[]): number => Math.max(0, ...runs.map(({ seq }) => seq));

/** The end of a timer, rounded up to the second. */
export const endOf = (amount: number, unit: keyof typeof UNITS, since: number): number =>
  amount === 0 ? since : Math.ceil((since + amount * UNITS[unit]) / 1000) * 1000;

export type ModelWrite = { before: ModelContact | undefined; after: ModelContact; event?: string };

const isOn = (contact: ModelContact | undefined, list: string): boolean =>
  contact !== undefined && !isUnconfirmed(contact) && contact.lists.includes(list);

const fires = ({ graph, list }: ModelWorkflow, { before, after, event }: ModelWrite): boolean => {
  const trigger = graph.nodes[graph.root];
  if (trigger?.typeName === "EventTrigger") return event === trigger.eventName;
  if (event !== undefined) return false;
  if (trigger?.typeName === "SignupTrigger")
    return before === undefined || (before.optIn === "pending" && after.optIn === "accepted");
  if (trigger?.typeName === "AddToListTrigger") return list !== null && isOn(after, list) && !isOn(before, list);
  return before !== undefined && before.plan !== after.plan && after.plan === "pro";
};

const entersAgain = ({ graph }: ModelWorkflow): boolean => {
  const trigger = graph.nodes[graph.root];
  return trigger !== undefined && "reEligible" in trigger && trigger.reEligible;
};

export const enter = (state: ModelState, workflows: ModelWorkflow[], write: ModelWrite, now: number): void => {
  for (const workflow of workflows) {
    const { n, graph, status, pausedAt, list } = workflow;
    if (status === "Draft" || !fires(workflow, write)) continue;
    const takes = status === "Sending" || (status === "PausedAndQueueing" && now < pausedAt + DAY);
    const contact = write.after.n;
    const own = runsOf(state, contact, n);
    const isOver = own.filter((run) => run.ended === null).length >= 100;
    const wasIn = state.ever[`${contact} ${n}`] && !entersAgain(workflow);
    const dropped = takes
      ? (gateOf(write.after, list) ?? (wasIn ? "entered_before" : isOver ? "too_many_active" : undefined))
      : "paused";
    if (dropped !== undefined) {
      count(state, `${n} dropped ${dropped}`);
      continue;
    }
    const seq = lastSeq(own) + 1;
    const key = keyOf(contact, n, seq);
    const node = graph.nodes[graph.root]?.k ?? 0;
    state.runs[key] = {
      key,
      contact,
      workflow: n,
      seq,
      node,
      since: now,
      wake: now,
      ended: null,
      path: [],
      failures: 0,
    };
    state.ever[`${contact} ${n}`] = true;
    state.entered[n] = (state.entered[n] ?? 0) + 1;
  }
};

export const remove = (state: ModelState, contact: number): void => {
  for (const run of Object.values(state.runs))
    if (run.contact === contact && run.wake !== null) count(state, `${run.workflow} ended contact_deleted`);
  erase(state, contact);
};

const erase = (state: ModelState, contact: number): void => {
  for (const [key, run] of Object.entries(state.runs)) if (run.contact === contact) delete state.runs[key];
  for (const key of Object.keys(state.ever)) if (key.startsWith(`${contact} `)) delete state.ever[key];
  state.mails = state.mails.filter((mail) => mail.split(" ")[1] !== String(contact));
};

/**
 * Two contacts became one. In a workflow that a contact enters once, the joined passages end.
 *
 * @param workflowOf n of the workflow of a message
 */
export const join = (
  state: ModelState,
  [from, to]: [number, number],
  { workflows, workflowOf, now }: { workflows: ModelWorkflow[]; workflowOf(message: string): number; now: number },
): void => {
  const moved = Object.values(state.runs).filter((run) => run.contact === from);
  const offsets = new Map(moved.map(({ workflow }) => [workflow, lastSeq(runsOf(state, to, workflow))]));
  const mails = state.mails.filter((mail) => mail.split(" ")[1] === String(from));
  erase(state, from);
  for (const run of moved) {
    const offset = offsets.get(run.workflow) ?? 0;
    const workflow = workflows.find(({ n }) => n === run.workflow);
    const ends = offset > 0 && run.wake !== null && workflow !== undefined && !entersAgain(workflow);
    const seq = run.seq + offset;
    const key = keyOf(to, run.workflow, seq);
    const joined = { ...run, key, contact: to, seq };
    if (ends) finish(state, joined, "merged", now);
    state.runs[key] = joined;
    state.ever[`${to} ${run.workflow}`] = true;
  }
  for (const mail of mails) {
    const [message = "", , seq] = mail.split(" ");
    state.mails.push(`${message} ${to} ${Number(seq) + (offsets.get(workflowOf(message)) ?? 0)}`);
  }
};

/** Input of a move besides the run. `seen`: the nodes that the engine passed, by their k. */
export type Move = {
  workflow: ModelWorkflow;
  contact: ModelContact;
  activity: ModelActivity;
  messagesOf: MessagesOf;
  now: number;
  seen: readonly number[];
};

/** Moves a run by the reference. Returns the fault of the engine's variant, if any. */
export const move = (state: ModelState, run: ModelRun, given: Move): string | undefined => {
  const { workflow, contact, activity, messagesOf, now } = given;
  const { graph } = workflow;
  const byK = new Map(Object.values(graph.nodes).map((one) => [one.k, one]));
  const isMet = (one: WorkflowNode) =>
    one.typeName !== "AudienceFilter" || meets(contact, one.audienceFilter, activity, messagesOf);
  const rest = (ended: string) => {
    leave(state, run, ended);
    return void finish(state, run, ended, now);
  };
  const go = (node: number) => {
    leave(state, run, node);
    run.path.push(node);
    Object.assign(run, { node });
  };
  const end = (node: number, ended: string) => {
    go(node);
    return rest(ended);
  };
  const resting = byK.get(run.node);
  if (!resting) return rest("node_deleted");
  const closed = gateOf(contact, workflow.list);
  if (closed !== undefined) return rest(closed);
  if (resting.typeName === "TimerAction") {
    const wake = endOf(resting.amount, resting.unit, run.since);
    if (wake > now) return void Object.assign(run, { wake });
  }
  const passed = run.path.flatMap((k) => byK.get(k) ?? []);
  const pass = (one: WorkflowNode) => {
    passed.push(one);
    go(one.k);
  };
  for (let at = nextOf(graph, resting); at !== undefined; at = nextOf(graph, at)) {
    if (passed.some((one) => one.typeName === "AudienceFilter" && one.appliesDownstream && !isMet(one)))
      return end(at.k, "filter_stopped");
    if (at.typeName === "ExitAction") return end(at.k, "completed");
    if (!isMet(at)) return end(at.k, "filtered");
    if (at.typeName === "BranchNode" || at.typeName === "ExperimentBranchNode") {
      const isBranch = at.typeName === "BranchNode";
      const chosen = isBranch ? { node: branchOf(graph, at, isMet) } : variantOf(given, state, at.k);
      if ("wrong" in chosen) return chosen.wrong;
      if (!chosen.node) return end(at.k, isBranch ? "no_branch" : "not_sampled");
      pass(at);
      at = chosen.node;
    }
    pass(at);
    if (at.typeName === "SendEmailAction") {
      const mail = `${at.emailMessageId} ${run.contact} ${run.seq}`;
      if (!state.mails.includes(mail)) {
        state.mails.push(mail);
        state.accepted[at.emailMessageId] = (state.accepted[at.emailMessageId] ?? 0) + 1;
      }
    }
    if (at.typeName === "TimerAction" && at.amount > 0)
      return void Object.assign(run, { node: at.k, since: now, wake: endOf(at.amount, at.unit, now) });
  }
  return "the model lost its way";
};

const nextOf = (graph: Graph, one: WorkflowNode): WorkflowNode | undefined => graph.nodes[one.nextNodeIds[0] ?? ""];

const branchOf = (graph: Graph, branch: WorkflowNode, isMet: (one: WorkflowNode) => boolean) =>
  branch.nextNodeIds.map((id) => graph.nodes[id]).find((one) => one?.typeName === "AudienceFilter" && isMet(one));

const variantOf = (
  { workflow: { n, graph }, contact, seen }: Move,
  state: ModelState,
  k: number,
): { node: WorkflowNode | undefined } | { wrong: string } => {
  const experiment = Object.values(graph.nodes).find((one) => one.k === k);
  if (experiment?.typeName !== "ExperimentBranchNode") return { wrong: "no experiment" };
  const { samplingRate } = experiment;
  const children = experiment.nextNodeIds.flatMap((id) => {
    const one = graph.nodes[id];
    return one?.typeName === "VariantNode" ? [one] : [];
  });
  const control = children.find(({ isControl }) => isControl);
  const others = children.filter((one) => one !== control);
  const chosen = children.find((one) => one.k === seen[seen.indexOf(k) + 1]);
  if (seen.at(-1) === k || !chosen) {
    const mayLeave = !control && (samplingRate < 100 || others.length === 0);
    return mayLeave ? { node: undefined } : { wrong: "a contact got no variant" };
  }
  if (chosen === control && samplingRate === 100 && others.length > 0)
    return { wrong: "everyone is sampled, and the contact got the control" };
  if (chosen !== control && samplingRate === 0)
    return { wrong: "no contact is sampled, and the contact got a variant" };
  const key = `${contact.id} ${n} ${k} ${samplingRate} ${control?.k} ${others.map((one) => one.k).sort()}`;
  if ((state.variants[key] ?? chosen.k) !== chosen.k) return { wrong: "a contact got another variant than before" };
  state.variants[key] = chosen.k;
  return { node: chosen };
};
