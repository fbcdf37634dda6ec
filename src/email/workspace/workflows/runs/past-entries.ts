import type { WorkflowStatus } from "../../../../lib/workflow-graph/types.ts";
import { triggerOf } from "../../../policy/workflows/run/entry.ts";
import type { Cause, Past } from "../../../policy/workflows/run/explain-entry.ts";
import { gateOf } from "../../../policy/workflows/run/step.ts";
import type { StoredContact } from "../../contacts/contact-rows.ts";
import type { Context } from "../../core/context.ts";
import type { StoredWorkflow } from "../workflow-rows.ts";

const MOST = 10;

export const pastOf = (
  { sql }: Pick<Context, "sql">,
  workflow: StoredWorkflow,
  contact: StoredContact,
  versions: Past["versions"],
): Past => ({
  changes: sql
    .exec<{ at: number; status: WorkflowStatus }>(
      "SELECT at, status FROM workflow_status_changes WHERE workflow = ? ORDER BY at",
      workflow.n,
    )
    .toArray(),
  versions,
  entries: sql
    .exec<{ run: number; at: number; until: number | null }>(
      `SELECT seq AS run, entered_at AS at, CASE WHEN wake IS NULL THEN since END AS until FROM runs
       WHERE contact = ? AND workflow = ?`,
      contact.n,
      workflow.n,
    )
    .toArray(),
  causes: causesOf(sql, workflow, contact),
  gate: gateOf(contact, workflow.list),
});

/** Events are stored for 30 days. Other changes are not stored. */
const causesOf = (sql: SqlStorage, { graph }: StoredWorkflow, contact: StoredContact): Cause[] => {
  const trigger = triggerOf(graph);
  if (trigger.typeName === "SignupTrigger") return [{ at: contact.createdAt, event: null }];
  if (trigger.typeName !== "EventTrigger" || trigger.eventName === null) return [];
  // A name in other case is a frequent mistake.
  return sql
    .exec<{ at: number; event: string }>(
      `SELECT at, p.name AS event FROM events e JOIN event_patterns p ON p.n = e.pattern
       WHERE e.contact = ? AND lower(p.name) = lower(?) ORDER BY e.n DESC LIMIT ?`,
      contact.n,
      trigger.eventName,
      MOST,
    )
    .toArray()
    .reverse();
};
