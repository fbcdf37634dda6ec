import { pageOf } from "../../../lib/contract/pagination.ts";
import { emptyGraph } from "../../../lib/workflow-graph/create.ts";
import { listRefusal } from "../contacts/lists.ts";
import { groupInBody, unsorted } from "../content/groups.ts";
import { wake } from "../core/context.ts";
import type { Handlers } from "../core/handler.ts";
import { changeable, changedTo, currentOf } from "./change.ts";
import { removeMessages } from "./messages.ts";
import { nodeHandlers } from "./nodes.ts";
import { listedWorkflow, shownWorkflow } from "./shown-workflow.ts";
import { allWaiting, countWaiting, takeOut, waitingOffList } from "./waiting-runs.ts";
import {
  addWorkflow,
  countWorkflows,
  findWorkflow,
  hideWorkflow,
  listWorkflows,
  type StoredWorkflow,
} from "./workflow-rows.ts";

/** The Go client (v0.6.0) recognizes this refusal by the end of its message. */
const CONFIRM = "Confirm deletion by sending a second request with confirmDelete: true.";

const MAX_WORKFLOWS = 500;

export const workflows: Handlers<"workflows"> = {
  list({ sql, origin }, input) {
    const rows = (before: number, count: number) => listWorkflows(sql, before, count);
    return pageOf(`${origin}/v1/workflows`, input, countWorkflows(sql), rows, listedWorkflow(origin));
  },

  create(context, { name, description = "", mailingListId = null, workflowGroupId }) {
    const { sql } = context;
    if (countWorkflows(sql) >= MAX_WORKFLOWS) {
      const message = `The team has ${MAX_WORKFLOWS} workflows, and cannot have more. Delete one that is not needed.`;
      return { refusal: { code: "too_many_workflows", message } };
    }
    const refusal = listRefusal(sql, mailingListId);
    if (refusal) return { refusal };
    const group = groupInBody(sql, "workflow", workflowGroupId);
    if (group && "refusal" in group) return group;
    const graph = emptyGraph(context.id);
    const id = addWorkflow(context, {
      name,
      description,
      list: mailingListId,
      group: group?.n ?? unsorted(sql, "workflow"),
      graph,
    });
    return { body: shownWorkflow(context, (findWorkflow(context, id) as { workflow: StoredWorkflow }).workflow) };
  },

  get(context, { workflowId }) {
    const found = findWorkflow(context, workflowId);
    return "refusal" in found ? found : { body: shownWorkflow(context, found.workflow) };
  },

  /** Runs do not depend on these fields, so they may change while sending. */
  update(context, { workflowGroupId, name, description, ...asked }) {
    const found = currentOf(context, asked);
    if ("refusal" in found) return found;
    const group = groupInBody(context.sql, "workflow", workflowGroupId);
    if (group && "refusal" in group) return group;
    const changes = {
      ...(name === undefined ? {} : { name }),
      ...(description === undefined ? {} : { description }),
      ...(group ? { group: group.n } : {}),
    };
    return { body: changedTo(context, found.workflow, changes).workflow };
  },

  /** The messages of the workflow stay. */
  delete(context, { confirmDelete, ...asked }) {
    const found = currentOf(context, asked);
    if ("refusal" in found) return found;
    const { n, status } = found.workflow;
    const waiting = countWaiting(context.sql, allWaiting(n));
    if (!confirmDelete && (status === "Sending" || waiting > 0)) {
      const why = status === "Sending" ? "is sending" : "is not empty";
      const message = `The workflow ${why}: ${waiting} contacts wait in it, and would leave it. ${CONFIRM}`;
      const detail = { queuedContactCount: waiting };
      return { refusal: { code: "workflow_in_use", path: "confirmDelete", message, detail } };
    }
    hideWorkflow(context, found.workflow);
    removeMessages(context, n);
    wake(context, context.now);
    return { body: undefined };
  },

  changeMailingList(context, { mailingListId, dryRun = false, queuedContactPolicy = "fail", ...asked }) {
    const { sql } = context;
    const found = changeable(context, asked);
    if ("refusal" in found) return found;
    const refusal = listRefusal(sql, mailingListId);
    if (refusal) return { refusal };
    const { n } = found.workflow;
    const leaving = mailingListId === null ? undefined : waitingOffList(n, mailingListId);
    const policy = { dryRun, queuedContactPolicy, reason: "list_changed" } as const;
    const { ended, queuedContactCount, stop } = takeOut(context, leaving, policy);
    if (stop) return { body: { status: stop, mailingListId, queuedContactCount } };
    const { stored, workflow } = changedTo(context, found.workflow, { list: mailingListId, ended });
    const workflowRevisionId = stored.revision;
    return { body: { status: "updated", mailingListId, workflowRevisionId, queuedContactCount, workflow } };
  },

  ...nodeHandlers,
};
