import type { Refusal } from "../../../../lib/contract/errors.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import type { Line } from "../../../policy/workflows/run/explain.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import type { Context } from "../../core/context.ts";
import { runStoryOf } from "../../workflows/runs/run-story.ts";
import { findWorkflow } from "../../workflows/workflow-rows.ts";
import { findContact } from "./contact.ts";

export const shownLine = ({ at, node, text }: Line) => ({ at: isoOf(at), nodeId: node, text });

export const explainContact = async (
  context: Context,
  { workflowId, contact: given }: AdminInput<"insight.explain">,
): Promise<{ body: unknown } | { refusal: Refusal }> => {
  const known = findWorkflow(context, workflowId);
  if ("refusal" in known) return known;
  const found = await findContact(context.sql, given, "contact");
  if ("refusal" in found) return found;
  const current = findWorkflow(context, workflowId);
  if ("refusal" in current) return current;
  const { id, email, userId } = found.contact;
  const { runs, entry } = runStoryOf(context, current.workflow, found.contact);
  return {
    body: {
      contact: { id, email, userId },
      runs: runs.map(({ run, enteredAt, code, text, lines }) => ({
        run,
        enteredAt: isoOf(enteredAt),
        code,
        text,
        lines: lines.map(shownLine),
      })),
      entry: { ...entry, lines: entry.lines.map(({ at, text }) => ({ at: isoOf(at), text })) },
    },
  };
};
