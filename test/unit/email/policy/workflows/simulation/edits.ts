import { parentsOf } from "../../../../../../src/lib/workflow-graph/edges.ts";
import type { CreatedType, Graph, WorkflowNode } from "../../../../../../src/lib/workflow-graph/types.ts";
import { faultOf } from "../../../../../../src/lib/workflow-graph/validate.ts";
import type { Edit } from "./engine.ts";
import { endOf, finish, type ModelRun, type ModelWorkflow, control as set } from "./model.ts";
import type { Play } from "./play.ts";
import { randomFilter, randomTimer } from "./random-graph.ts";

type Answer = { body?: unknown; refusal?: { code: string } };

type Asked = { name: Edit; input: Record<string, unknown>; takes?: (body: Removed) => ModelRun[]; reason?: string };
type Removed = { status: string; queuedContactCount: number; nodeIds?: string[] };

const waitingIn = ({ check }: Play, n: number): ModelRun[] =>
  Object.values(check.state().runs).filter((run) => run.workflow === n && run.wake !== null);

const anyOf = ({ random, check }: Play): ModelWorkflow | undefined => {
  const all = check.workflows();
  return all.length === 0 ? undefined : random.one(all);
};

export const control = (play: Play): void => {
  const { random, engine, check, tell } = play;
  const workflow = anyOf(play);
  if (!workflow) return;
  const { n, id, status } = workflow;
  const choices = {
    Sending: ["pause", "pause", "stop"] as const,
    PausedAndQueueing: ["start", "start", "stop"] as const,
    Paused: ["start"] as const,
    Draft: ["start"] as const,
  };
  const what = random.one<"start" | "pause" | "stop">(choices[status]);
  tell(`${what} ${id}`);
  engine.control(id, what);
  set(check.state(), n, what, play.now());
  check.started(n);
  check.check();
};

const restart = (play: Play, { n, graph }: ModelWorkflow, changed: unknown): void => {
  const node = graph.nodes[String(changed)];
  if (node?.typeName !== "TimerAction") return;
  for (const run of waitingIn(play, n)) if (run.node === node.k) run.wake = endOf(node.amount, node.unit, run.since);
};

const TYPES: readonly CreatedType[] = [
  ...(["AudienceFilter", "BranchNode", "ExperimentBranchNode"] as const),
  ...(["TimerAction", "SendEmailAction", "VariantNode"] as const),
];

const askedOf = (play: Play, id: string, { n, graph }: ModelWorkflow): Asked => {
  const { random, stored } = play;
  const nodes = Object.entries(graph.nodes);
  const idOf = (is: (one: WorkflowNode) => boolean = () => true): string => {
    const wanted = nodes.filter(([, one]) => is(one));
    return random.one(wanted.length > 0 ? wanted : nodes)[0];
  };
  const update = (type: string, payload: object): Asked => {
    const nodeId = idOf((one) => one.typeName === type);
    return { name: "updateNode", input: { nodeId, payload } };
  };
  const places = new Set(waitingIn(play, n).map(({ node }) => node));
  const isWaitedAt = ({ k, typeName }: WorkflowNode) => typeName === "TimerAction" && places.has(k);
  const policy = { queuedContactPolicy: random.one(["fail", "discard", "discard"]), dryRun: random.chance(0.2) };
  const atNodes = ({ nodeIds = [] }: Removed) =>
    waitingIn(play, n).filter(({ node }) => nodeIds.some((one) => graph.nodes[one]?.k === node));
  const removal = (name: Edit, nodeId: string): Asked => ({
    name,
    input: { nodeId, ...policy },
    takes: atNodes,
    reason: "node_deleted",
  });
  const list = random.one([null, "lst_1"]);
  const contacts = stored.contacts();
  const from = idOf();
  return random.one<() => Asked>([
    () => update("TimerAction", randomTimer(random)),
    () => update("TimerAction", randomTimer(random)),
    () => removal("deleteNode", idOf(isWaitedAt)),
    () => removal("deleteNode", idOf(isWaitedAt)),
    () => removal("deleteNode", idOf()),
    () => removal("deleteNodeRecursively", idOf(isWaitedAt)),
    () =>
      removal(
        "deleteNodeRecursively",
        idOf(({ typeName }) => typeName === "VariantNode"),
      ),
    () => create({ insertMode: "before", nodeTypeName: random.one(TYPES), toNodeId: idOf() }),
    () => create({ insertMode: "after", nodeTypeName: random.one(TYPES), fromNodeId: from }),
    () => create({ insertMode: "between", nodeTypeName: random.one(TYPES), ...edgeFrom(graph, from) }),
    () => ({ name: "reroute", input: { nodeId: idOf(), newTargetNodeId: idOf() } }),
    () => ({ name: "reroute", input: { nodeId: idOf(), newTargetNodeId: idOf() } }),
    () => ({ name: "addBranch", input: { nodeId: idOf((one) => one.typeName === "BranchNode") } }),
    () =>
      update("AudienceFilter", {
        audienceFilter: randomFilter(random, [{ target: "workflow", id }, ...messagesIn(graph)]),
        appliesDownstream: random.chance(0.5),
      }),
    () => update("ExperimentBranchNode", { samplingRate: random.one([0, 40, 100]) }),
    () => ({ name: "updateNode", input: { nodeId: graph.root, payload: { reEligible: random.chance(0.5) } } }),
    () => ({ name: "update", input: { name: `w${random.int(1, 9)}` } }),
    () => ({
      name: "changeMailingList",
      input: { mailingListId: list, ...policy },
      reason: "list_changed",
      takes: () =>
        waitingIn(play, n).filter(({ contact }) => list !== null && !contacts.get(contact)?.lists.includes(list)),
    }),
  ])();
};

const create = (input: object): Asked => ({ name: "createNode", input: { ...input } });

const edgeFrom = (graph: Graph, from: string) => ({
  fromNodeId: from,
  toNodeId: graph.nodes[from]?.nextNodeIds.at(-1) ?? graph.exit,
});

const messagesIn = (graph: Graph): { target: "workflowEmail"; id: string }[] =>
  Object.values(graph.nodes).flatMap((one) =>
    one.typeName === "SendEmailAction" ? [{ target: "workflowEmail" as const, id: one.emailMessageId }] : [],
  );

/** Edits a workflow, and compares the graph and the waiting runs with the reference. */
export const edit = (play: Play): void => {
  const { random, engine, stored, check, tell, fail, now } = play;
  const before = anyOf(play);
  if (!before) return;
  const { n, id, revision, status } = before;
  const asked = askedOf(play, id, before);
  const isStale = random.chance(0.1);
  const input = { workflowId: id, expectedRevisionId: isStale ? "rev_old" : revision, ...asked.input };
  const answer: Answer = engine.edit(asked.name, input);
  const code = answer.refusal?.code;
  const after = stored.workflows().find((one) => one.n === n) as ModelWorkflow;
  tell(`edit ${id} ${asked.name} ${JSON.stringify(asked.input)} ${code ?? "done"}`);

  const isChanged = after.revision !== revision;
  const hasOtherGraph = after.graph !== before.graph || after.list !== before.list;
  if (hasOtherGraph && !isChanged) fail("the workflow changed and its revision did not");
  if (code !== undefined && isChanged) fail(`an edit that was refused (${code}) changed the workflow`);
  if (isStale && code !== "stale_revision") fail("a stale revision was taken");
  if (!isStale && status === "Sending" && asked.name !== "update" && code === undefined)
    fail("the graph of a sending workflow was changed");
  const fault = faultOf(after.graph);
  if (fault !== undefined) fail(`${asked.name} gave an invalid graph: ${fault}`);
  placed(play, asked, before.graph, after.graph);

  const body = answer.body as Removed | undefined;
  const leaving = body?.status !== undefined && asked.takes ? asked.takes(body) : [];
  if (body?.status !== undefined && asked.takes && body.queuedContactCount !== leaving.length)
    fail(`${leaving.length} contacts wait, and the answer is ${JSON.stringify(body)}`);
  if (asked.takes && ["dryRun", "queuedContactsFound"].includes(body?.status ?? "")) {
    if (isChanged) fail("a preview changed the workflow");
  } else for (const run of leaving) finish(check.state(), run, String(asked.reason), now());
  if (asked.name === "updateNode" && code === undefined) restart(play, after, asked.input.nodeId);
  const settings = check.state().settings[n];
  if (asked.name === "changeMailingList" && isChanged && settings)
    check.state().settings[n] = { ...settings, list: asked.input.mailingListId as string | null };
  check.check();
};

const placed = ({ fail }: Play, { input }: Asked, before: Graph, after: Graph): void => {
  if (input.insertMode !== "before" || before === after) return;
  const old = parentsOf(after, String(input.toNodeId)).filter((id) => Object.hasOwn(before.nodes, id));
  if (old.length > 0) fail(`${old.join()} lead past the node that was inserted before ${input.toNodeId}`);
};

/** Changes a message of a workflow: only while the workflow does not send. */
export const editMessage = (play: Play): void => {
  const { random, engine, stored, tell, fail, check } = play;
  const messages = stored.messages();
  if (messages.length === 0) return;
  const { id, workflow, removed } = random.one(messages);
  const subject = `Hello ${random.int(1, 1e6)}`;
  const { refusal } = engine.editMessage(id, subject);
  const isSending = check.workflows().some(({ n, status }) => n === workflow && status === "Sending");
  tell(`message ${id} ${refusal?.code ?? "done"}`);
  if ((refusal !== undefined) !== (isSending || removed === 1))
    fail(`the message ${id} was answered with ${refusal?.code}`);
  check.check();
};

export const addWorkflow = ({ random, engine, check, tell, now }: Play, name: string): void => {
  const list = random.chance(0.3) ? "lst_1" : null;
  const id = engine.addWorkflow(name, list);
  tell(`new ${id}`);
  const { n } = engine.workflow(id);
  check.state().settings[n] = { status: "Draft", pausedAt: 0, list };
  if (!random.chance(0.85)) return;
  engine.control(id, "start");
  set(check.state(), n, "start", now());
};

export const replaceWorkflow = (play: Play): void => {
  const { random, engine, check, tell, fail } = play;
  const workflow = anyOf(play);
  if (random.chance(0.5) || !workflow) {
    addWorkflow(play, `x${random.int(1, 1e6)}`);
    check.check();
    return;
  }
  const { n, id, revision, status } = workflow;
  const isEmpty = status !== "Sending" && waitingIn(play, n).length === 0;
  const confirmDelete = random.chance(0.7);
  const { refusal } = engine.edit("delete", { workflowId: id, expectedRevisionId: revision, confirmDelete });
  tell(`delete ${id} ${refusal?.code ?? "done"}`);
  if ((refusal === undefined) !== (isEmpty || confirmDelete)) fail(`a deletion was answered with ${refusal?.code}`);
  for (const [key, run] of Object.entries(check.state().runs))
    if (refusal === undefined && run.workflow === n) delete check.state().runs[key];
  check.check();
};
