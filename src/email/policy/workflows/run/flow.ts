import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import { node } from "../../../../lib/workflow-graph/edges.ts";
import type { Graph } from "../../../../lib/workflow-graph/types.ts";
import { type Evaluator, evaluatorOf, readerOf } from "../../segments/evaluate.ts";
import type { TeamFacts } from "../../segments/facts.ts";
import type { Flow, Mismatch, RunContact } from "./types.ts";

export type FlowTeam = TeamFacts & { segmentOf(id: string): AudienceFilter | undefined };

type Part = { filter: AudienceFilter; evaluator: Evaluator } | undefined;

const MAX_SHOWN = 100;

/** Filters compile on first use. */
export const flowOf = (graph: Graph, list: string | null, team: FlowTeam): Flow => {
  const ids = new Map(Object.keys(graph.nodes).map((id) => [node(graph, id).k, id]));
  const compiled = new Map<string, Part[]>();
  const partsOf = (id: string): Part[] => {
    const known = compiled.get(id);
    if (known) return known;
    const parts = compile(graph, id, team);
    compiled.set(id, parts);
    return parts;
  };
  return {
    graph,
    list,
    idOf: (k) => ids.get(k),
    matches: (id, facts, now) => partsOf(id).every((part) => part?.evaluator.matches({ ...facts, now }) ?? false),
    mismatchOf(id, facts, now) {
      const filter = node(graph, id).k;
      const part = partsOf(id).find((one) => !one?.evaluator.matches({ ...facts, now }));
      const position = part?.evaluator.failing({ ...facts, now })[0];
      const condition = position === undefined ? undefined : part?.filter.conditions[position];
      if (!condition) return { filter };
      return condition.type === "property"
        ? { filter, condition, saw: shown(facts.contact, condition.key) }
        : { filter, condition };
    },
  };
};

const compile = (graph: Graph, id: string, team: FlowTeam): Part[] => {
  const workflowNode = node(graph, id);
  if (workflowNode.typeName !== "AudienceFilter") return [undefined];
  const part = (filter: AudienceFilter) => ({ filter, evaluator: evaluatorOf(filter, team) });
  const parts: Part[] = workflowNode.audienceFilter === null ? [] : [part(workflowNode.audienceFilter)];
  if (workflowNode.audienceSegmentId === null) return parts;
  const segment = team.segmentOf(workflowNode.audienceSegmentId);
  return [segment && part(segment), ...parts];
};

const shown = (contact: RunContact, key: string): NonNullable<Mismatch["saw"]> | null => {
  const value = readerOf(key)(contact);
  if (typeof value === "string") return value.slice(0, MAX_SHOWN);
  return typeof value === "number" || typeof value === "boolean" ? value : null;
};
