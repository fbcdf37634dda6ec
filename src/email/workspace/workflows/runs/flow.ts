import { type FlowTeam, flowOf } from "../../../policy/workflows/run/flow.ts";
import type { Flow, RunFacts } from "../../../policy/workflows/run/types.ts";
import type { StoredContact } from "../../contacts/contact-rows.ts";
import { activityOf } from "../../segments/activity.ts";
import { filterOf, findSegment } from "../../segments/segment-rows.ts";
import { teamFactsOf } from "../../segments/team-facts.ts";
import type { StoredWorkflow } from "../workflow-rows.ts";

/** Returns a workflow for steps, with current segments and properties; create it per slice. */
export const readyFlow = (sql: SqlStorage, { graph, list }: Pick<StoredWorkflow, "graph" | "list">): Flow =>
  flowOf(graph, list, flowTeamOf(sql));

export const flowTeamOf = (sql: SqlStorage): FlowTeam => ({
  ...teamFactsOf(sql),
  segmentOf: (id) => {
    const segment = findSegment(sql, id);
    return segment && filterOf(segment);
  },
});

export const runFactsOf = (sql: SqlStorage, contact: StoredContact): RunFacts => ({
  contact,
  hasActivity: activityOf(sql, contact.n),
});
