import { type Context, wake } from "../../core/context.ts";
import { sweepContact } from "../../core/sweeps.ts";
import { addCount } from "../counts.ts";
import { type StoredWorkflow, setStatus } from "../rows.ts";

/** Starts a workflow, or resumes it: runs go on in the order in which they were due. That is for a queued contact the time of its entry. */
export const startWorkflow = (context: Context, workflow: StoredWorkflow): void => {
  setStatus(context, workflow, "Sending");
  context.after.entered = true;
  wake(context, context.now);
};

/** Runs rest where they are, and mail is held, also that which waits in a Mailer. New contacts are queued for 24 hours. */
export const pauseWorkflow = (context: Context, workflow: StoredWorkflow): void => {
  setStatus(context, workflow, "PausedAndQueueing");
  context.after.stopped.push(workflow.id);
};

/** As a pause, but no new contact is queued. */
export const stopWorkflow = (context: Context, workflow: StoredWorkflow): void => {
  setStatus(context, workflow, "Paused");
  context.after.stopped.push(workflow.id);
};

/** Ends all waiting runs of a contact in a workflow. Returns how many. */
export const removeContactFrom = ({ sql, now }: Context, { n }: StoredWorkflow, contact: number): number => {
  // Those that an edit has ended are counted with it.
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
