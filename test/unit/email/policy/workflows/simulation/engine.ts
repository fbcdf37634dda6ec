import { contactInRow } from "../../../../../../src/email/workspace/contacts/contact-rows.ts";
import { emailMessages } from "../../../../../../src/email/workspace/content/email-messages.ts";
import { addMessage } from "../../../../../../src/email/workspace/content/messages.ts";
import type { Context } from "../../../../../../src/email/workspace/core/context.ts";
import { changedTo } from "../../../../../../src/email/workspace/workflows/change.ts";
import { workflows } from "../../../../../../src/email/workspace/workflows/handlers.ts";
import {
  pauseWorkflow,
  startWorkflow,
  stopWorkflow,
} from "../../../../../../src/email/workspace/workflows/runs/control.ts";
import { runStoryOf } from "../../../../../../src/email/workspace/workflows/runs/run-story.ts";
import { statusOf } from "../../../../../../src/email/workspace/workflows/runs/status.ts";
import {
  addWorkflow,
  findWorkflow,
  type StoredWorkflow,
} from "../../../../../../src/email/workspace/workflows/workflow-rows.ts";
import { compileMessage } from "../../../../../../src/lib/lmx/message/compile-message.ts";
import { emptySource } from "../../../../../../src/lib/lmx/message/message-source.ts";
import type { Graph } from "../../../../../../src/lib/workflow-graph/types.ts";
import { createObject, type ObjectBug, type ObjectWorld } from "./object.ts";
import { randomGraph } from "./random-graph.ts";
import { type Answer, createRequests } from "./requests.ts";

export type Edit = Exclude<keyof typeof workflows, "list" | "create" | "get" | "getNode" | "nodeMetrics">;

export type Bug = ObjectBug & {
  edit?: (name: Edit, input: Record<string, unknown>, before: Graph) => Graph | undefined;
};

export type World = ObjectWorld & { bug: Bug };

/** The Workspace and its Mailers, with requests about contacts and workflows. */
export const createEngine = (world: World) => {
  const object = createObject(world);
  const { sql, contextOf, run } = object;
  const { random, bug } = world;
  const workflowOf = (context: Context, id: string) =>
    (findWorkflow(context, id) as { workflow: StoredWorkflow }).workflow;

  return {
    ...object,
    ...createRequests(object, world.now),
    addWorkflow: (name: string, list: string | null, graph = randomGraph(random, name, true)) =>
      run((context) => {
        const id = addWorkflow(context, { name, description: "", group: 1, list, graph });
        const { n } = workflowOf(context, id);
        const source = { ...emptySource, subject: "Hello", fromName: "T", fromEmail: "hello", lmx: "" };
        const { compiled } = compileMessage(source, "workflow", {});
        const content = { source: JSON.stringify(source), compiled: JSON.stringify(compiled), uses: [] };
        for (const [node, one] of Object.entries(graph.nodes))
          if (one.typeName === "SendEmailAction")
            addMessage(context, one.emailMessageId, { workflow: n, node }, content);
        return id;
      }),
    workflow: (id: string) => workflowOf(contextOf(), id),
    control: (id: string, what: "start" | "pause" | "stop") =>
      run((context) => {
        const act = { start: startWorkflow, pause: pauseWorkflow, stop: stopWorkflow }[what];
        act(context, workflowOf(context, id));
      }),
    edit: (name: Edit, input: Record<string, unknown>): Answer =>
      run((context) => {
        const before = findWorkflow(context, String(input.workflowId));
        const isAllowed =
          "workflow" in before &&
          before.workflow.status !== "Sending" &&
          before.workflow.revision === input.expectedRevisionId;
        const graph = isAllowed ? bug.edit?.(name, input, before.workflow.graph) : undefined;
        if (!graph || !isAllowed) return workflows[name](context, input as never) as Answer;
        return { body: changedTo(context, before.workflow, { graph }) };
      }),
    editMessage: (emailMessageId: string, subject: string): Answer =>
      run((context) => emailMessages.update(context, { emailMessageId, subject } as never) as Answer),
    status: (id: string) => statusOf(contextOf(), workflowOf(contextOf(), id)),
    story: (workflow: string, contact: number) => {
      const context = contextOf();
      const stored = contactInRow(sql, contact);
      return stored && runStoryOf(context, workflowOf(context, workflow), stored);
    },
  };
};

export type Engine = ReturnType<typeof createEngine>;
