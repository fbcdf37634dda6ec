import { type Context, wake } from "../core/context.ts";
import { sweeping, takeSweep } from "../core/sweeps.ts";
import { createOrigins, holding, releaseMail } from "../sending/waiting-mails.ts";
import { clearWorkflow, deletedWorkflows } from "../workflows/runs/deleted.ts";

const RELEASED = 1_000;

export const tidyings = (sql: SqlStorage): ((work: Context) => void)[] => [
  ...sweeping(sql).map((workflow) => () => takeSweep(sql, workflow)),
  ...holding(sql).map((origin) => (work: Context) => release(work, origin)),
  ...deletedWorkflows(sql).map((n) => (work: Context) => clearWorkflow(work, n)),
];

const release = (work: Context, origin: Parameters<typeof releaseMail>[1]): void => {
  if (createOrigins(work.sql)(origin.id) !== "sending") return;
  releaseMail(work.sql, origin, work.now, RELEASED);
  wake(work, work.now);
};
