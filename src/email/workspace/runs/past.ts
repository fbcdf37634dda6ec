import type { WorkflowStatus } from "../../workflows/graph/types.ts";
import { triggerOf } from "../../workflows/run/entry.ts";
import type { Cause, Past } from "../../workflows/run/explain-entry.ts";
import type { Context } from "../base/context.ts";
import type { StoredContact } from "../contacts/row.ts";
import { findPattern } from "../events/patterns.ts";
import type { StoredWorkflow } from "../workflows/rows.ts";

/** Most events that are explained, the newest. */
const MOST = 10;

/** What is known of the time before: changes of the status, runs, and what may have started one. */
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
      ...[contact.n, workflow.n],
    )
    .toArray(),
  causes: causesOf(sql, workflow, contact),
});

/** Events are stored for 30 days. Other changes of a contact are not stored. */
const causesOf = (sql: SqlStorage, { graph }: StoredWorkflow, contact: StoredContact): Cause[] => {
  const trigger = triggerOf(graph);
  if (trigger.typeName === "SignupTrigger") return [{ at: contact.createdAt, event: null }];
  if (trigger.typeName !== "EventTrigger" || trigger.eventName === null) return [];
  const event = trigger.eventName;
  const pattern = findPattern(sql, "name", event);
  if (!pattern) return [];
  return sql
    .exec<{ at: number }>(
      "SELECT at FROM events WHERE contact = ? AND pattern = ? ORDER BY n DESC LIMIT ?",
      ...[contact.n, pattern.n, MOST],
    )
    .toArray()
    .map(({ at }) => ({ at, event }))
    .reverse();
};
