import { inOrder, node, nodeAt, reachable } from "../../../../lib/workflow-graph/edges.ts";
import type { Graph, NodeOf, WorkflowNode } from "../../../../lib/workflow-graph/types.ts";
import { idAt } from "../run/run-words.ts";
import { endOfTimer, type gateOf, UNIT_MS } from "../run/step.ts";
import type { Compared } from "./changes.ts";

type Gate = NonNullable<ReturnType<typeof gateOf>>;

/** `since`, `wake`: Unix ms. `gate`: consent missing in the newer version. `path`: `k` of visited nodes. */
export type WaitingRun = {
  node: number;
  since: number;
  wake: number;
  gate: Gate | undefined;
  path: readonly number[];
};

/** Result of a change for a waiting contact, exactly one each. */
export type Fate = "node_deleted" | Gate | "at_once" | "earlier" | "later" | "same_time";

/** Additional effect: another way after the node, or a changed filter checked again. */
type Turn = "other_way" | "other_filter";

/** Contacts already ended by an edit between the versions. */
type Ended = "ended_node_deleted" | "ended_list_changed";

/** Contacts affected at a waiting node. `node`: its `k`. */
export type Count = { node: number; code: Ended | Fate | Turn; contacts: number };

export type Counted = { concerned: number; counts: readonly Count[] };

type NodeImpact = {
  isGone: boolean;
  timer: { was: NodeOf<"TimerAction">; is: NodeOf<"TimerAction"> } | undefined;
  hasOtherWay: boolean;
};

/**
 * Counts waiting contacts by the effect of a change.
 *
 * @param now Unix ms; a contact due then continues at once
 * @param before counts of other contacts
 */
export const createImpact = (compared: Compared, now: number, before: Counted = { concerned: 0, counts: [] }) => {
  const { from, to } = compared;
  const isListChanged = from.list !== to.list && to.list !== null;
  const filters = changedFilters(compared);
  const changed = changedNodes(compared);
  const impacts = new Map<number, NodeImpact | undefined>();
  const counts = new Map(before.counts.map((count) => [`${count.node} ${count.code}`, { ...count }]));
  let { concerned } = before;
  const impactAt = (k: number): NodeImpact | undefined => {
    if (!impacts.has(k)) impacts.set(k, impactOf(compared, k, changed));
    return impacts.get(k);
  };
  const add = (k: number, code: Count["code"]): void => {
    const count = counts.get(`${k} ${code}`) ?? { node: k, code, contacts: 0 };
    count.contacts += 1;
    counts.set(`${k} ${code}`, count);
  };
  return {
    list: to.list,
    /** Undefined if every node may be concerned. */
    nodes:
      isListChanged || filters.size > 0
        ? undefined
        : Object.values(from.graph.nodes)
            .map(({ k }) => k)
            .filter((k) => isConcerned(impactAt(k))),
    readsPaths: filters.size > 0,
    add(run: WaitingRun): void {
      const impact = impactAt(run.node);
      if (!impact) return;
      const isOffList = isListChanged && run.gate === "left_list";
      const turns: Turn[] = [
        ...(impact.hasOtherWay ? ["other_way" as const] : []),
        ...(run.path.some((k) => filters.has(k)) ? ["other_filter" as const] : []),
      ];
      if (!impact.isGone && !isOffList && impact.timer === undefined && turns.length === 0) return;
      concerned += 1;
      const leaves = impact.isGone ? "node_deleted" : run.gate;
      const codes: Count["code"][] = leaves === undefined ? [timeOf(impact, run, now), ...turns] : [leaves];
      for (const code of codes) add(run.node, code);
    },
    result: (): Counted => ({ concerned, counts: [...counts.values()] }),
  };
};

const isConcerned = (impact: NodeImpact | undefined): boolean =>
  impact !== undefined && (impact.isGone || impact.timer !== undefined || impact.hasOtherWay);

const timeOf = ({ timer }: NodeImpact, { since, wake }: WaitingRun, now: number): Fate => {
  const [was, is] = timer ? [endOfTimer(timer.was, since), endOfTimer(timer.is, since)] : [wake, wake];
  if (is <= now) return "at_once";
  if (is === was) return "same_time";
  return is < was ? "earlier" : "later";
};

const impactOf = ({ from, to }: Compared, k: number, changed: ReadonlySet<string>): NodeImpact | undefined => {
  const id = idAt(from.graph, k);
  if (id === undefined) return undefined;
  const [was, is] = [node(from.graph, id), nodeAt(to.graph, id)];
  const timer =
    was.typeName === "TimerAction" && is?.typeName === "TimerAction" && lengthOf(was) !== lengthOf(is)
      ? { was, is }
      : undefined;
  return { isGone: is === undefined, timer, hasOtherWay: is !== undefined && hasOtherWay({ from, to }, id, changed) };
};

const lengthOf = ({ amount, unit }: NodeOf<"TimerAction">): number => amount * UNIT_MS[unit];

const changedNodes = ({ from, to }: Compared): ReadonlySet<string> => {
  const ids = new Set([...Object.keys(from.graph.nodes), ...Object.keys(to.graph.nodes)]);
  const contentIn = (graph: Graph, id: string) => JSON.stringify(contentOf(nodeAt(graph, id)));
  return new Set([...ids].filter((id) => contentIn(from.graph, id) !== contentIn(to.graph, id)));
};

const hasOtherWay = ({ from, to }: Compared, id: string, changed: ReadonlySet<string>): boolean => {
  if (node(from.graph, id).nextNodeIds.join() !== nodeAt(to.graph, id)?.nextNodeIds.join()) return true;
  return [from, to].some(({ graph }) => [...reachable(graph, id)].some((one) => one !== id && changed.has(one)));
};

/** A timer of 24 hours equals one of a day. */
const contentOf = (workflowNode: WorkflowNode | undefined): unknown[] => {
  if (workflowNode?.typeName === "TimerAction") return [workflowNode.nextNodeIds, lengthOf(workflowNode)];
  return Object.entries(workflowNode ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
};

const changedFilters = ({ from, to }: Compared): ReadonlySet<number> => {
  const changed = Object.keys(from.graph.nodes).filter((id) => {
    const [was, is] = [node(from.graph, id), nodeAt(to.graph, id)];
    const applies = [was, is].some(
      (workflowNode) => workflowNode?.typeName === "AudienceFilter" && workflowNode.appliesDownstream,
    );
    return applies && (is === undefined || demandOf(was) !== demandOf(is));
  });
  return new Set(changed.map((id) => node(from.graph, id).k));
};

const demandOf = (workflowNode: WorkflowNode): string =>
  workflowNode.typeName === "AudienceFilter"
    ? JSON.stringify([workflowNode.audienceFilter, workflowNode.audienceSegmentId, workflowNode.appliesDownstream])
    : "";

const TEXTS: Readonly<Record<Count["code"], readonly [one: string, several: string]>> = {
  ended_node_deleted: ["left when the node was removed", "left when the node was removed"],
  ended_list_changed: ["left when the mailing list was changed", "left when the mailing list was changed"],
  node_deleted: ["leaves, because the node is removed", "leave, because the node is removed"],
  left_list: ["leaves, because it is not on the mailing list", "leave, because they are not on the mailing list"],
  unsubscribed: ["leaves, because it is unsubscribed", "leave, because they are unsubscribed"],
  not_confirmed: [
    "leaves, because its subscription is not confirmed",
    "leave, because their subscriptions are not confirmed",
  ],
  at_once: ["goes on at once", "go on at once"],
  earlier: ["goes on earlier", "go on earlier"],
  later: ["goes on later", "go on later"],
  same_time: ["keeps its time", "keep their time"],
  other_way: ["comes to a change after this node", "come to a change after this node"],
  other_filter: ["is checked again by a filter that is changed", "are checked again by a filter that is changed"],
};

const wordsOfCount = (code: Count["code"], contacts: number): string =>
  `${contacts} ${TEXTS[code][contacts === 1 ? 0 : 1]}`;

const LEAVES: readonly Fate[] = ["node_deleted", "left_list", "unsubscribed", "not_confirmed"];
const FATES: readonly Fate[] = [...LEAVES, "at_once", "earlier", "later", "same_time"];
const ENDED: readonly Ended[] = ["ended_node_deleted", "ended_list_changed"];
export const CODES: readonly Count["code"][] = [...ENDED, ...FATES, "other_way", "other_filter"];

/** `nodeId`: null for an unknown node. */
export const linesOfImpact = ({ from, to }: Compared, counts: readonly Count[]) => {
  const ids = [...inOrder(from.graph), ...inOrder(to.graph)];
  return counts
    .map((count) => ({ ...count, nodeId: idAt(from.graph, count.node) ?? idAt(to.graph, count.node) ?? null }))
    .toSorted(
      (a, b) =>
        ids.indexOf(a.nodeId ?? "") - ids.indexOf(b.nodeId ?? "") || CODES.indexOf(a.code) - CODES.indexOf(b.code),
    )
    .map(({ nodeId, code, contacts }) => ({ nodeId, code, text: wordsOfCount(code, contacts), contacts }));
};

/** Example: "37 contacts wait on what changes: 12 go on at once, 25 keep their time." */
export const wordsOfImpact = (concerned: number, counts: readonly Count[]): string => {
  const partsOf = (codes: readonly Count["code"][]): string[] =>
    codes
      .map((code) => ({ code, contacts: sumOf(counts, code) }))
      .filter(({ contacts }) => contacts > 0)
      .map(({ code, contacts }) => wordsOfCount(code, contacts));
  const wait = concerned === 1 ? "1 contact waits" : `${concerned} contacts wait`;
  const now =
    concerned === 0 ? "No contact waits on what changes." : `${wait} on what changes: ${partsOf(FATES).join(", ")}.`;
  return [now, ...partsOf(ENDED).map((part) => `${part}.`)].join(" ");
};

const sumOf = (counts: readonly Count[], code: Count["code"]): number =>
  counts.filter((count) => count.code === code).reduce((sum, { contacts }) => sum + contacts, 0);
