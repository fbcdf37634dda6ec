import type { Graph, WorkflowStatus } from "../../../../../src/email/workflows/graph/types.ts";
import type { AudienceFilter } from "../../../../../src/lib/contract/audience/filter.ts";

const DAY = 86_400_000;
const UNITS = { m: 60_000, h: 3_600_000, d: DAY };

export type ModelContact = {
  n: number;
  id: string;
  email: string | null;
  subscribed: boolean;
  optIn: string | null;
  lists: string[];
  plan?: string | undefined;
  seats?: number | undefined;
};
export type ModelWorkflow = {
  n: number;
  status: WorkflowStatus;
  pausedAt: number;
  since: number;
  list: string | null;
  graph: Graph;
};
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
};

/** What the model knows. It is plain data, so that a crash can take it back to what was durable. */
export type ModelState = {
  runs: Record<string, ModelRun>;
  /** Contacts that were ever in a workflow, as "contact workflow". */
  ever: Record<string, true>;
  mails: string[];
  /** The variant of each contact in each experiment. */
  variants: Record<string, number>;
  entered: Record<number, number>;
  suppressed: string[];
};

export const emptyModel = (): ModelState => ({
  runs: {},
  ever: {},
  mails: [],
  variants: {},
  entered: {},
  suppressed: [],
});

export const gateOf = (contact: ModelContact, list: string | null): string | undefined => {
  if (!contact.subscribed) return "unsubscribed";
  if (contact.optIn === "pending" || contact.optIn === "rejected") return "not_confirmed";
  if (list !== null && !contact.lists.includes(list)) return "left_list";
  return undefined;
};

const meets = (contact: ModelContact, filter: AudienceFilter | null): boolean => {
  if (filter === null) return true;
  const results = filter.conditions.map((condition) => {
    if (condition.type !== "property") throw new Error("The simulation uses conditions on properties only.");
    const value = condition.key === "plan" ? contact.plan : contact.seats;
    const wanted = condition.value;
    if (condition.operator === "equals") return value === wanted;
    if (condition.operator === "notEquals") return value !== wanted;
    if (condition.operator === "greaterThan") return value !== undefined && Number(value) > Number(wanted);
    return value !== undefined && String(value).toLowerCase().includes(String(wanted).toLowerCase());
  });
  return filter.match === "all" ? !results.includes(false) : results.includes(true);
};

/** What happened to a contact: created, changed, or an event. */
export type ModelWrite = { before: ModelContact | undefined; after: ModelContact; event?: string };

const fires = ({ graph, list }: ModelWorkflow, { before, after, event }: ModelWrite): boolean => {
  const trigger = graph.nodes[graph.root];
  if (trigger?.typeName === "EventTrigger") return event === trigger.eventName;
  if (event !== undefined) return false;
  if (trigger?.typeName === "SignupTrigger") return before === undefined;
  if (trigger?.typeName === "AddToListTrigger")
    return list !== null && after.lists.includes(list) && !before?.lists.includes(list);
  return before !== undefined && before.plan !== after.plan && after.plan === "pro";
};

export const enter = (state: ModelState, workflows: ModelWorkflow[], write: ModelWrite, now: number): void => {
  for (const workflow of workflows) {
    const { n, graph, status, pausedAt, list } = workflow;
    const takes = status === "Sending" || (status === "PausedAndQueueing" && now < pausedAt + DAY);
    if (!takes || !fires(workflow, write) || gateOf(write.after, list) !== undefined) continue;
    const trigger = graph.nodes[graph.root];
    const again = trigger !== undefined && "reEligible" in trigger && trigger.reEligible;
    const contact = write.after.n;
    if (state.ever[`${contact} ${n}`] && !again) continue;
    const own = Object.values(state.runs).filter((run) => run.contact === contact && run.workflow === n);
    if (own.filter((run) => run.ended === null).length >= 100) continue;
    const seq = Math.max(0, ...own.map((run) => run.seq)) + 1;
    const key = `${contact} ${n} ${seq}`;
    state.runs[key] = {
      key,
      contact,
      workflow: n,
      seq,
      node: trigger?.k ?? 0,
      since: now,
      wake: now,
      ended: null,
      path: [],
    };
    state.ever[`${contact} ${n}`] = true;
    state.entered[n] = (state.entered[n] ?? 0) + 1;
  }
};

/** Which variant the engine gave to a contact: undefined where it went to none. */
export type Observed = (experiment: number) => number | undefined;

/** Moves a run as the reference describes it. Returns what is wrong with the engine's choice of a variant, if anything is. */
export const move = (
  state: ModelState,
  run: ModelRun,
  workflow: ModelWorkflow,
  contact: ModelContact,
  now: number,
  observed: Observed,
): string | undefined => {
  const { graph } = workflow;
  const byK = (k: number) => Object.values(graph.nodes).find((one) => one.k === k);
  const end = (node: number, ended: string) => Object.assign(run, { node, since: now, wake: null, ended });
  let node = byK(run.node);
  if (!node) return void end(run.node, "node_deleted");
  const closed = gateOf(contact, workflow.list);
  if (closed !== undefined) return void end(run.node, closed);
  const wait = (amount: number, unit: keyof typeof UNITS, from: number) =>
    amount === 0 ? from : Math.ceil((from + amount * UNITS[unit]) / 1000) * 1000;
  if (node.typeName === "TimerAction") {
    const wake = wait(node.amount, node.unit, run.since);
    if (wake > now) return void Object.assign(run, { wake });
  }
  const passed = run.path.flatMap((k) => byK(k) ?? []);
  for (;;) {
    node = graph.nodes[node.nextNodeIds[0] ?? ""];
    if (!node) return "the model lost its way";
    const { k } = node;
    for (const one of passed)
      if (one.typeName === "AudienceFilter" && one.appliesDownstream && !meets(contact, one.audienceFilter))
        return void end(k, "filter_stopped");
    if (node.typeName === "ExitAction") return void end(k, "completed");
    if (node.typeName === "AudienceFilter" && !meets(contact, node.audienceFilter)) return void end(k, "filtered");
    passed.push(node);
    if (node.typeName === "SendEmailAction") {
      const mail = `${node.emailMessageId} ${run.contact} ${run.seq}`;
      if (!state.mails.includes(mail)) state.mails.push(mail);
    }
    if (node.typeName === "TimerAction" && node.amount > 0) {
      run.path.push(k);
      return void Object.assign(run, { node: k, since: now, wake: wait(node.amount, node.unit, now) });
    }
    if (node.typeName === "BranchNode") {
      const child = node.nextNodeIds
        .map((id) => graph.nodes[id])
        .find((one) => one?.typeName === "AudienceFilter" && meets(contact, one.audienceFilter));
      if (!child) {
        passed.pop();
        return void end(k, "no_branch");
      }
      run.path.push(k);
      passed.push(child);
      node = child;
    }
    if (node.typeName === "ExperimentBranchNode") {
      const chosen = observed(k);
      const child = Object.values(graph.nodes).find((one) => one.k === chosen);
      if (child?.typeName !== "VariantNode") return `an experiment led to ${chosen}`;
      if (node.samplingRate === 100 && child.isControl) return "everyone is sampled, and the contact got the control";
      if (node.samplingRate === 0 && !child.isControl) return "no contact is sampled, and the contact got a variant";
      const key = `${contact.id} ${run.workflow} ${k}`;
      if ((state.variants[key] ?? child.k) !== child.k) return "a contact got another variant than before";
      state.variants[key] = child.k;
      run.path.push(k);
      node = child;
    }
    run.path.push(node.k);
  }
};
