import type { Graph, WorkflowNode } from "../../../src/email/workflows/graph/types.ts";
import { emptySource, type MessageSource } from "../../../src/email/workspace/content/message-source.ts";
import type { Client } from "../../../src/lib/contract/client.ts";
import type { V1 } from "../../../src/lib/contract/v1.ts";
import type { Workflow } from "../../../src/lib/contract/workflows/nodes.ts";
import type { Names } from "./filter.ts";
import type { Spec } from "./spec.ts";

/** The v1 API as far as workflows need it. */
export type Api = Pick<Client<V1>, "workflows" | "emailMessages" | "lists" | "audienceSegments" | "contactProperties">;

/** A workflow as the API gives it. `revisions`: content revisions of its mails, by the mail's id. */
export type Current = {
  id: string;
  revision: string;
  status: Workflow["status"];
  spec: Spec;
  revisions: ReadonlyMap<string, string>;
};

/** Reads a workflow with the filters and mails of its nodes, which the workflow alone does not show. */
export const readCurrent = async ({ workflows, emailMessages }: Api, workflowId: string): Promise<Current> => {
  const workflow = await workflows.get({ workflowId });
  const nodes: Record<string, WorkflowNode> = {};
  const messages: Record<string, MessageSource> = {};
  const revisions = new Map<string, string>();
  for (const [id, short] of Object.entries(workflow.nodes)) {
    const k = Object.keys(nodes).length + 1;
    const { mailingListId: _, subject: __, ...own } = short as Record<string, unknown>;
    nodes[id] = { ...own, k } as unknown as WorkflowNode;
    if (short.typeName === "AudienceFilter") {
      const full = await workflows.getNode({ workflowId, nodeId: id });
      if (full.typeName !== "AudienceFilter") continue;
      const { audienceFilter, audienceSegmentId = null, appliesDownstream } = full;
      nodes[id] = { ...own, k, audienceFilter, audienceSegmentId, appliesDownstream } as WorkflowNode;
    }
    if (short.typeName === "SendEmailAction") {
      const { emailMessageId } = short;
      const mail = await emailMessages.get({ emailMessageId });
      messages[emailMessageId] = Object.fromEntries(
        Object.keys(emptySource).map((field) => [field, mail[field as keyof MessageSource]]),
      ) as MessageSource;
      if (mail.contentRevisionId !== null) revisions.set(emailMessageId, mail.contentRevisionId);
    }
  }
  const exit = Object.entries(nodes).find(([, { typeName }]) => typeName === "ExitAction")?.[0] ?? "";
  const graph: Graph = { root: workflow.rootNodeId, exit, lastK: Object.keys(nodes).length, nodes };
  const { id, workflowRevisionId: revision, status, name, description, mailingListId: list } = workflow;
  return { id, revision, status, revisions, spec: { name, description, list, graph, messages } };
};

/** All items of a paginated list. */
const allOf = async <Item>(
  list: (page: {
    perPage: string;
    cursor?: string;
  }) => Promise<{ pagination: { nextCursor: string | null }; data: Item[] }>,
): Promise<Item[]> => {
  const items: Item[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { pagination, data } = await list({ perPage: "50", ...(cursor === undefined ? {} : { cursor }) });
    items.push(...data);
    cursor = pagination.nextCursor;
  }
  return items;
};

/** Ids and names of all workflows. */
export const listWorkflows = async ({ workflows }: Api): Promise<{ id: string; name: string }[]> =>
  allOf((page) => workflows.list(page));

/** Lists and segments by name and by id. A name that several lists have is left out. */
export const readNames = async ({ lists, audienceSegments }: Api): Promise<Names> => ({
  lists: idsOf(await lists.list()),
  segments: idsOf(await allOf((page) => audienceSegments.list(page))),
});

const idsOf = (all: readonly { id: string; name: string }[]): ReadonlyMap<string, string> => {
  const names = Map.groupBy(all, ({ name }) => name);
  const unique = [...names].flatMap(([name, [one, ...more]]) =>
    one && more.length === 0 ? [[name, one.id] as const] : [],
  );
  return new Map([...unique, ...all.map(({ id }) => [id, id] as const)]);
};
