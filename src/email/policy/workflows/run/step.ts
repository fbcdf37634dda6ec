import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../lib/util/dates.ts";
import { node } from "../../../../lib/workflow-graph/edges.ts";
import type { NodeOf } from "../../../../lib/workflow-graph/types.ts";
import { missingConsent } from "../../segments/consent.ts";
import { variantOf } from "./experiment.ts";
import type { End, Flow, Mismatch, Run, RunFacts, Step, Visit } from "./types.ts";

/** Timer units, in ms. */
export const UNIT_MS = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS } as const;

/** Returns Unix ms, rounded up to the second. */
export const endOfTimer = ({ amount, unit }: Pick<NodeOf<"TimerAction">, "amount" | "unit">, since: number): number =>
  amount === 0 ? since : Math.ceil((since + amount * UNIT_MS[unit]) / 1000) * 1000;

/** `list`: id of the workflow's mailing list. */
export const gateOf = ({ data }: { data: Parameters<typeof missingConsent>[0] }, list: string | null) => {
  const missing = missingConsent(data, list);
  return missing === "not_on_list" ? "left_list" : missing;
};

/**
 * Advances a run to its next timer or end. Pure; the caller runs it in one transaction.
 *
 * @param now Unix ms
 */
export const step = (flow: Flow, run: Run, facts: RunFacts, now: number): Step => {
  const { graph, list } = flow;
  const start = flow.idOf(run.node);
  const stay: Omit<Step, "position"> = { visits: [], mails: [] };
  if (start === undefined) return { ...stay, position: { node: run.node, ended: "node_deleted" } };
  const closed = gateOf(facts.contact, list);
  if (closed !== undefined) return { ...stay, position: { node: run.node, ended: closed } };
  const resting = node(graph, start);
  if (resting.typeName === "TimerAction") {
    const wake = endOfTimer(resting, run.since);
    if (wake > now) return { ...stay, position: { node: run.node, since: run.since, wake } };
  }
  return walk(flow, { ...run, id: start }, facts, now);
};

/** The graph has no cycle, so this ends. */
const walk = (flow: Flow, run: Run & { id: string }, facts: RunFacts, now: number): Step => {
  const { graph } = flow;
  const visits: Visit[] = [];
  const mails: Step["mails"] = [];
  const passed = new Set(run.path.flatMap(([k]) => flow.idOf(k) ?? []));
  const end = (k: number, ended: End, mismatches: Mismatch[] = []): Step => {
    visits.push(mismatches.length > 0 ? [k, now, mismatches] : [k, now]);
    return { visits, mails, position: { node: k, ended } };
  };
  for (let id = node(graph, run.id).nextNodeIds[0]; id !== undefined; ) {
    const workflowNode = node(graph, id);
    const stopped = stoppedBy(flow, passed, facts, now);
    if (stopped !== undefined) return end(workflowNode.k, "filter_stopped", [flow.mismatchOf(stopped, facts, now)]);
    if (workflowNode.typeName === "AudienceFilter" && !flow.matches(id, facts, now))
      return end(workflowNode.k, "filtered", [flow.mismatchOf(id, facts, now)]);
    if (workflowNode.typeName === "ExitAction") return end(workflowNode.k, "completed");
    let next = workflowNode.nextNodeIds[0];
    if (workflowNode.typeName === "BranchNode") {
      const filters = workflowNode.nextNodeIds.filter((child) => node(graph, child).typeName === "AudienceFilter");
      next = filters.find((child) => flow.matches(child, facts, now));
      if (next === undefined)
        return end(
          workflowNode.k,
          "no_branch",
          filters.map((child) => flow.mismatchOf(child, facts, now)),
        );
    }
    if (workflowNode.typeName === "ExperimentBranchNode") {
      next = variantOf(graph, id, workflowNode, facts.contact.id);
      if (next === undefined) return end(workflowNode.k, "not_sampled");
    }
    visits.push([workflowNode.k, now]);
    passed.add(id);
    if (workflowNode.typeName === "SendEmailAction")
      mails.push({ message: workflowNode.emailMessageId, node: workflowNode.k });
    if (workflowNode.typeName === "TimerAction" && workflowNode.amount > 0)
      return { visits, mails, position: { node: workflowNode.k, since: now, wake: endOfTimer(workflowNode, now) } };
    id = next;
  }
  throw new Error(`The workflow has no way from node ${run.id} to its exit.`);
};

const stoppedBy = (flow: Flow, passed: ReadonlySet<string>, facts: RunFacts, now: number): string | undefined => {
  for (const id of passed) {
    const workflowNode = node(flow.graph, id);
    if (workflowNode.typeName === "AudienceFilter" && workflowNode.appliesDownstream && !flow.matches(id, facts, now))
      return id;
  }
  return undefined;
};
