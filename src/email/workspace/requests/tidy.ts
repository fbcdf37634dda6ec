import { type Context, wake } from "../core/context.ts";
import { sweeping, takeSweep } from "../core/sweeps.ts";
import { createOrigins, holding, releaseMail } from "../sending/queue.ts";
import { clearWorkflow, deletedWorkflows } from "../workflows/runs/deleted.ts";

/** Most held mails that one slice releases. */
const RELEASED = 1_000;

/** Slices of work that is always due: changes of runs, held mail of workflows and campaigns that go on, and rows of deleted workflows. */
export const tidyings = (sql: SqlStorage): ((work: Context) => void)[] => [
  ...sweeping(sql).map((workflow) => () => takeSweep(sql, workflow)),
  ...holding(sql).map((origin) => (work: Context) => release(work, origin)),
  ...deletedWorkflows(sql).map((n) => (work: Context) => clearWorkflow(work, n)),
];

/** The workflow or campaign may have been paused since the round began: then its mail stays. */
const release = (work: Context, origin: Parameters<typeof releaseMail>[1]): void => {
  if (createOrigins(work.sql)(origin.id) !== "sending") return;
  releaseMail(work.sql, origin, work.now, RELEASED);
  wake(work, work.now);
};
