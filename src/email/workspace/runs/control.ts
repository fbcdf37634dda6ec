import { UNIT_MS } from "../../workflows/run/step.ts";
import { type Context, wake } from "../base/context.ts";
import { addCount } from "../workflows/counts.ts";
import { type StoredWorkflow, setStatus } from "../workflows/rows.ts";

/** Starts a workflow, or resumes it: contacts that entered during the pause first, in their order. */
export const startWorkflow = (context: Context, workflow: StoredWorkflow): void => {
  for (const one of Object.values(workflow.graph.nodes)) {
    if (one.typeName === "TimerAction")
      restart(context.sql, workflow.n, one.k, Math.ceil(one.amount * UNIT_MS[one.unit]));
  }
  setStatus(context, workflow, "Sending");
  context.after.entered = true;
  wake(context, context.now);
};

/** Runs at a timer whose amount was changed get the time that follows from their arrival. Nothing else is written. */
const restart = (sql: SqlStorage, workflow: number, k: number, ms: number): void => {
  // As `endOfTimer` rounds it. A bound number is a REAL for SQLite, and would not be rounded.
  const end = ms === 0 ? "since" : "(since + CAST(?3 AS INTEGER) + 999) / 1000 * 1000";
  sql.exec(
    `UPDATE runs SET wake = ${end} WHERE workflow = ?1 AND node = ?2 AND wake IS NOT NULL AND wake <> ${end}`,
    ...[workflow, k, ...(ms === 0 ? [] : [ms])],
  );
};

/** Runs rest where they are. New contacts are queued for 24 hours. */
export const pauseWorkflow = (context: Context, workflow: StoredWorkflow): void =>
  setStatus(context, workflow, "PausedAndQueueing");

/** As a pause, but no new contact is queued. */
export const stopWorkflow = (context: Context, workflow: StoredWorkflow): void =>
  setStatus(context, workflow, "Paused");

/** Ends all waiting runs of a contact in a workflow. Returns how many. */
export const removeContactFrom = ({ sql, now }: Context, { n }: StoredWorkflow, contact: number): number => {
  const removed = sql
    .exec(
      `UPDATE runs SET since = ?, wake = NULL, event = NULL, ended = 'removed' WHERE contact = ? AND workflow = ? AND wake IS NOT NULL RETURNING 1`,
      ...[now, contact, n],
    )
    .toArray().length;
  if (removed > 0) addCount(sql, n, "ended", "removed", removed);
  return removed;
};
