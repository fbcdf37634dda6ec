import { wordsOfCondition } from "../../../../lib/contract/audience/condition-words.ts";
import type { AudienceCondition } from "../../../../lib/contract/audience/filter.ts";
import { inOrder, isFork, isTrigger, node, nodeAt, parentsOf } from "../../../../lib/workflow-graph/edges.ts";
import type { Graph, NodeOf, Trigger, WorkflowNode } from "../../../../lib/workflow-graph/types.ts";
import {
  type NameOf,
  quotedName,
  type Version,
  wordsOfDuration,
  wordsOfNode,
  wordsOfTrigger,
} from "../run/run-words.ts";

export type Compared = { from: Pick<Version, "graph" | "list">; to: Pick<Version, "graph" | "list"> };

/** `nodeId`: null for a change of the workflow. */
export type WorkflowChange = { nodeId: string | null; text: string };

/** Returns differences in node order, removed nodes last. */
export const changesOf = ({ from, to }: Compared, nameOf: NameOf): WorkflowChange[] => {
  const changes: WorkflowChange[] = [];
  if (from.list !== to.list) changes.push({ nodeId: null, text: wordsOfLists(from.list, to.list, nameOf) });
  for (const id of inOrder(to.graph)) {
    const texts = nodeAt(from.graph, id)
      ? [
          ...fieldChanges(node(from.graph, id), node(to.graph, id), wordsOfNode(to.graph, id, nameOf), nameOf),
          ...edgeChanges(from.graph, to.graph, id, nameOf),
        ]
      : [wordsOfAdded(to.graph, id, nameOf)];
    changes.push(...texts.map((text) => ({ nodeId: id, text })));
  }
  for (const id of inOrder(from.graph)) {
    if (nodeAt(to.graph, id)) continue;
    changes.push({ nodeId: id, text: `${capital(wordsOfNode(from.graph, id, nameOf))} is removed.` });
  }
  return changes;
};

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const wordsOfLists = (from: string | null, to: string | null, nameOf: NameOf): string => {
  if (to === null) return `The workflow has no mailing list now. Before, it had ${quotedName(from ?? "", nameOf)}.`;
  const before = from === null ? "none" : quotedName(from, nameOf);
  return `The mailing list of the workflow is ${quotedName(to, nameOf)} now, before ${before}.`;
};

const wordsOfAdded = (graph: Graph, id: string, nameOf: NameOf): string => {
  const [parent = graph.root] = parentsOf(graph, id);
  return `${capital(wordsOfNode(graph, id, nameOf))} is added after ${wordsOfNode(graph, parent, nameOf)}.`;
};

const fieldChanges = (from: WorkflowNode, to: WorkflowNode, words: string, nameOf: NameOf): string[] => {
  if (isTrigger(from) && isTrigger(to)) return triggerChanges(from, to);
  if (from.typeName === "TimerAction" && to.typeName === "TimerAction") {
    const [was, is] = [wordsOfDuration(from), wordsOfDuration(to)];
    return was === is ? [] : [`The timer takes ${is} now, before ${was}.`];
  }
  if (from.typeName === "AudienceFilter" && to.typeName === "AudienceFilter")
    return filterChanges(from, to, words, nameOf);
  if (from.typeName === "ExperimentBranchNode" && to.typeName === "ExperimentBranchNode") {
    const [was, is] = [from.samplingRate, to.samplingRate];
    return was === is ? [] : [`The experiment gives ${is} % of the contacts a variant now, before ${was} %.`];
  }
  if (from.typeName === "VariantNode" && to.typeName === "VariantNode" && from.isControl !== to.isControl)
    return [
      to.isControl
        ? "This variant is the control group of the experiment now."
        : `The former control group is ${words} now.`,
    ];
  return [];
};

const triggerChanges = (from: Trigger, to: Trigger): string[] => {
  const [was, is] = [from, to].map((trigger) => wordsOfTrigger(trigger) ?? "nothing");
  const changes = was === is ? [] : [`The workflow starts with ${is} now, before with ${was}.`];
  const [mayReturn, mayReturnNow] = [from, to].map((trigger) => "reEligible" in trigger && trigger.reEligible);
  if (mayReturn === mayReturnNow) return changes;
  return [
    ...changes,
    mayReturnNow
      ? "A contact may enter more than once now."
      : "A contact enters only once now, and not if it was here.",
  ];
};

type FilterNode = NodeOf<"AudienceFilter">;

const filterChanges = (from: FilterNode, to: FilterNode, words: string, nameOf: NameOf): string[] => {
  const { audienceSegmentId: segment } = from;
  const changes: string[] = [];
  if (segment !== to.audienceSegmentId) {
    const was = segment === null ? "none" : quotedName(segment, nameOf);
    const is = to.audienceSegmentId === null ? "none" : quotedName(to.audienceSegmentId, nameOf);
    changes.push(`The segment that the filter asks for is ${is} now, before ${was}.`);
  }
  changes.push(...conditionChanges(from.audienceFilter?.conditions ?? [], to.audienceFilter?.conditions ?? []));
  const [was, is] = [from, to].map(({ audienceFilter }) => audienceFilter);
  if (was && is && was.match !== is.match)
    changes.push(
      is.match === "any"
        ? "One condition of the filter is enough now, before all had to be met."
        : "All conditions of the filter must be met now, before one was enough.",
    );
  if (from.appliesDownstream !== to.appliesDownstream)
    changes.push(`${capital(words)} ${to.appliesDownstream ? "applies" : "no longer applies"} to all later nodes.`);
  return changes;
};

/** The order of conditions has no meaning. */
const conditionChanges = (from: readonly AudienceCondition[], to: readonly AudienceCondition[]): string[] => {
  const [before, after] = [from, to].map((conditions) =>
    conditions.map((condition) => wordsOfCondition(condition)),
  ) as [string[], string[]];
  const gone = before.filter((words) => !after.includes(words));
  const come = after.filter((words) => !before.includes(words));
  return Array.from({ length: Math.max(gone.length, come.length) }, (_, position) => {
    const [was, is] = [gone[position], come[position]];
    if (was === undefined) return `The filter has one more condition: ${is}.`;
    return is === undefined
      ? `The filter no longer has the condition: ${was}.`
      : `The filter has the condition: ${is}. Before: ${was}.`;
  });
};

/** Ignores edges changed only by added or removed nodes. */
const edgeChanges = (from: Graph, to: Graph, id: string, nameOf: NameOf): string[] => {
  const workflowNode = node(to, id);
  const words = wordsOfNode(to, id, nameOf);
  if (isFork(workflowNode)) {
    const pathsNow = workflowNode.nextNodeIds.filter((next) => node(from, id).nextNodeIds.includes(next));
    const paths = node(from, id).nextNodeIds.filter((next) => pathsNow.includes(next));
    if (paths.join() === pathsNow.join()) return [];
    const order = pathsNow.map((next) => wordsOfNode(to, next, nameOf)).join(", ");
    return [`The paths of ${words} have another order now: ${order}.`];
  }
  const [before, after] = [keptAfter(from, to, id), keptAfter(to, from, id)];
  if (before.toSorted().join() === after.toSorted().join()) return [];
  const was = before.map((next) => wordsOfNode(from, next, nameOf)).join(" and ");
  const is = after.map((next) => wordsOfNode(to, next, nameOf)).join(" and ");
  return [`${capital(words)} leads to ${is} now, before to ${was}.`];
};

const keptAfter = (graph: Graph, other: Graph, id: string): string[] => {
  const [kept, passed] = [new Set<string>(), new Set([id])];
  // A growing set also iterates its new members.
  for (const one of passed)
    for (const next of node(graph, one).nextNodeIds) (nodeAt(other, next) ? kept : passed).add(next);
  return [...kept];
};
