import type { AdminHandlers } from "../../core/handler.ts";
import { list, pause, remove, resume, start, status, stop } from "../../workflows/runs/handlers.ts";
import { findContact } from "./contact.ts";
import { diffWorkflow } from "./diff.ts";
import { dryRun } from "./dry-run.ts";
import { explainContact } from "./explain.ts";
import { listVersions } from "./list-versions.ts";
import { simulate } from "./simulate.ts";
import { listHere } from "./waiting-contacts.ts";

export const workflows: AdminHandlers<"workflows"> = {
  list,
  start,
  resume,
  pause,
  stop,
  status,
  remove: {
    prepare: async ({ sql }, input) => {
      const found = await findContact(sql, input.contact, "contact");
      return (context) => remove(context, input, "contact" in found ? found.contact.n : undefined);
    },
  },
};

export const insight: AdminHandlers<"insight"> = {
  explain: explainContact,
  simulate,
  dryRun: (context, input) => dryRun(context, input),
  here: listHere,
  versions: listVersions,
  diff: diffWorkflow,
};
