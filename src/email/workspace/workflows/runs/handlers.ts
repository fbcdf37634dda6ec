import type { Refusal } from "../../../../lib/contract/errors.ts";
import { pageOf } from "../../../../lib/contract/pagination.ts";
import { isoOf, isoOrNull } from "../../../../lib/util/dates.ts";
import { notReady } from "../../../policy/readiness/faults.ts";
import { QUEUEING_MS, statusAt } from "../../../policy/workflows/run/entry.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import { contactInRow, contactNotFound } from "../../contacts/contact-rows.ts";
import type { Context } from "../../core/context.ts";
import { readTeam } from "../../team/team.ts";
import { allWaiting, countWaiting } from "../waiting-runs.ts";
import {
  countWorkflows,
  findWorkflow,
  type ListedWorkflow,
  listWorkflows,
  type StoredWorkflow,
} from "../workflow-rows.ts";
import { pauseWorkflow, removeContactFrom, startWorkflow, stopWorkflow } from "./control.ts";
import { statusOf } from "./status.ts";
import { readyOf } from "./workflow-readiness.ts";

type Answer = { body: unknown } | { refusal: Refusal };

export const list = ({ sql, now, origin }: Context, input: AdminInput<"workflows.list">): Answer => {
  const rows = (before: number, count: number) => listWorkflows(sql, before, count);
  const url = `${origin}/admin/teams/${readTeam(sql).slug}/workflows`;
  return pageOf(url, input, countWorkflows(sql), rows, (row: ListedWorkflow) => ({
    id: row.id,
    name: row.name,
    status: statusAt({ ...row, pausedAt: row.paused_at }, now),
    waiting: countWaiting(sql, allWaiting(row.n)),
    createdAt: isoOf(row.created_at),
    updatedAt: isoOf(row.updated_at),
  }));
};

export const start = (context: Context, { workflowId, dryRun }: AdminInput<"workflows.start">): Answer => {
  const found = findWorkflow(context, workflowId);
  return "refusal" in found ? found : startReady(context, found.workflow, dryRun);
};

export const resume = (context: Context, { workflowId, dryRun }: AdminInput<"workflows.resume">): Answer => {
  const found = findStarted(context, workflowId);
  return "refusal" in found ? found : startReady(context, found.workflow, dryRun);
};

const startReady = (context: Context, workflow: StoredWorkflow, isDryRun: boolean): Answer => {
  const { id, status } = workflow;
  const { problems, warnings } = readyOf(context, workflow);
  if (isDryRun) return { body: { id, status, problems, warnings } };
  if (status === "Sending") return { body: { id, status, problems: [], warnings } };
  if (problems.length > 0) {
    const message = notReady("workflow", problems);
    return { refusal: { code: "workflow_not_ready", path: "workflowId", message, detail: { problems, warnings } } };
  }
  startWorkflow(context, workflow);
  return { body: { id, status: "Sending", problems, warnings } };
};

export const pause = (context: Context, { workflowId }: AdminInput<"workflows.pause">): Answer => {
  const found = findStarted(context, workflowId);
  if ("refusal" in found) return found;
  if (found.workflow.status !== "Sending") return { body: paused(found.workflow) };
  pauseWorkflow(context, found.workflow);
  return { body: paused({ ...found.workflow, status: "PausedAndQueueing", pausedAt: context.now }) };
};

const paused = ({ id, status, pausedAt }: Pick<StoredWorkflow, "id" | "status" | "pausedAt">) => ({
  id,
  status,
  pausedAt: isoOrNull(pausedAt),
  queuesUntil: status === "PausedAndQueueing" && pausedAt !== null ? isoOf(pausedAt + QUEUEING_MS) : null,
});

/** Pauses a workflow and ends queuing. */
export const stop = (context: Context, { workflowId }: AdminInput<"workflows.stop">): Answer => {
  const found = findStarted(context, workflowId);
  if ("refusal" in found) return found;
  const { id, status } = found.workflow;
  if (status !== "Paused") stopWorkflow(context, found.workflow);
  return { body: { id, status: "Paused" } };
};

export const status = (context: Context, { workflowId }: AdminInput<"workflows.status">): Answer => {
  const found = findWorkflow(context, workflowId);
  if ("refusal" in found) return found;
  const { pausedAt, queuesUntil } = paused(found.workflow);
  return { body: { ...statusOf(context, found.workflow), pausedAt, queuesUntil } };
};

/** Removes the contact in a row from a workflow. Its queued mail is sent. */
export const remove = (context: Context, input: AdminInput<"workflows.remove">, row: number | undefined): Answer => {
  const found = findWorkflow(context, input.workflowId);
  if ("refusal" in found) return found;
  const contact = row === undefined ? undefined : contactInRow(context.sql, row);
  if (!contact) return contactNotFound(input.contact, "contact");
  return { body: { removed: removeContactFrom(context, found.workflow, contact.n) } };
};

const findStarted = (context: Context, id: string): { workflow: StoredWorkflow } | { refusal: Refusal } => {
  const found = findWorkflow(context, id);
  if ("refusal" in found || found.workflow.status !== "Draft") return found;
  const message = "The workflow is a draft: it was never started. Start it first.";
  return { refusal: { code: "workflow_not_started", path: "workflowId", message } };
};
