import { type Context, wake } from "../../core/context.ts";
import { sweepContact } from "../../core/sweeps.ts";
import { addCount } from "../counts.ts";
import { type StoredWorkflow, setStatus } from "../workflow-rows.ts";

/** Starts or resumes a workflow. Runs continue by due time; for queued contacts, by entry time. */
export const startWorkflow = (context: Context, workflow: StoredWorkflow): void => {
  setStatus(context, workflow, "Sending");
  context.after.entered = true;
  wake(context, context.now);
};

/** Pauses runs and holds mail, also in a Mailer. New contacts are queued for 24 hours. */
export const pauseWorkflow = (context: Context, workflow: StoredWorkflow): void => {
  setStatus(context, workflow, "PausedAndQueueing");
  context.after.stopped.push(workflow.id);
};

/** Pauses without queuing new contacts. */
export const stopWorkflow = (context: Context, workflow: StoredWorkflow): void => {
  setStatus(context, workflow, "Paused");
  context.after.stopped.push(workflow.id);
};

/** Ends a contact's waiting runs in a workflow and returns their number. */
export const removeContactFrom = ({ sql, now }: Context, { n }: StoredWorkflow, contact: number): number => {
  sweepContact(sql, contact);
  const removed = sql
    .exec(
      `UPDATE runs SET since = ?, wake = NULL, event = NULL, ended = 'removed' WHERE contact = ? AND workflow = ? AND wake IS NOT NULL RETURNING 1`,
      now,
      contact,
      n,
    )
    .toArray().length;
  if (removed > 0) addCount(sql, n, "ended", "removed", removed);
  return removed;
};
