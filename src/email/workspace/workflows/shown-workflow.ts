import type { Response } from "../../../lib/contract/operation.ts";
import type { V1 } from "../../../lib/contract/v1.ts";
import type { ShortNode, Workflow } from "../../../lib/contract/workflows/nodes.ts";
import { isoOf } from "../../../lib/util/dates.ts";
import { inOrder, node } from "../../../lib/workflow-graph/edges.ts";
import type { WorkflowNode } from "../../../lib/workflow-graph/types.ts";
import type { Context } from "../core/context.ts";
import { findPattern, propertiesOf } from "../events/patterns.ts";
import { subjectsOf } from "./messages.ts";
import type { ListedWorkflow, StoredWorkflow } from "./workflow-rows.ts";

const urlOf = (origin: string, id: string): string => `${origin}/v1/workflows/${encodeURIComponent(id)}`;
const dates = ({ created_at, updated_at }: ListedWorkflow) => ({
  createdAt: isoOf(created_at),
  updatedAt: isoOf(updated_at),
});

export const listedWorkflow = (origin: string) => (row: ListedWorkflow) => ({
  id: row.id,
  url: urlOf(origin, row.id),
  name: row.name,
  workflowGroupId: row.group_id,
  ...dates(row),
});

type Around = { list: string | null; subjects: ReadonlyMap<string, string> };

const aroundOf = (sql: SqlStorage, { n, list }: StoredWorkflow): Around => ({ list, subjects: subjectsOf(sql, n) });

export const shownWorkflow = ({ sql, origin }: Pick<Context, "sql" | "origin">, workflow: StoredWorkflow): Workflow => {
  const { id, revision, status, name, description, group, list, graph } = workflow;
  const around = aroundOf(sql, workflow);
  return {
    id,
    url: urlOf(origin, id),
    workflowRevisionId: revision,
    status,
    name,
    description,
    workflowGroupId: group,
    mailingListId: list,
    rootNodeId: graph.root,
    nodes: Object.fromEntries(inOrder(graph).map((one) => [one, short(node(graph, one), around)])),
  };
};

const short = (workflowNode: WorkflowNode, { list, subjects }: Around): ShortNode => {
  const { k: _, ...rest } = workflowNode;
  const nextNodeIds = [...workflowNode.nextNodeIds];
  const { typeName } = workflowNode;
  switch (typeName) {
    case "AudienceFilter":
      return { typeName, nextNodeIds };
    case "AddToListTrigger":
      return { typeName, nextNodeIds, mailingListId: list, reEligible: workflowNode.reEligible };
    case "SendEmailAction": {
      const { emailMessageId } = workflowNode;
      return { typeName, nextNodeIds, emailMessageId, subject: subjects.get(emailMessageId) ?? "" };
    }
    default:
      return rest as ShortNode;
  }
};

type Without<Union, Keys extends string> = Union extends unknown ? Omit<Union, Keys> : never;
type FullNode = Without<Response<V1["workflows"]["getNode"]>, "workflowId" | "workflowRevisionId">;

export const fullNode = (sql: SqlStorage, workflow: StoredWorkflow, id: string, more: object = {}): FullNode => {
  const workflowNode = node(workflow.graph, id);
  const { typeName, nextNodeIds } = workflowNode;
  const own = { id, ...more, typeName, nextNodeIds: [...nextNodeIds] };
  if (workflowNode.typeName === "EventTrigger") {
    const { eventName, reEligible } = workflowNode;
    const pattern = eventName === null ? undefined : findPattern(sql, "name", eventName);
    const eventProperties = pattern ? propertiesOf(pattern) : [];
    return { ...own, ...(eventName === null ? {} : { eventName }), eventProperties, reEligible } as FullNode;
  }
  if (workflowNode.typeName === "AudienceFilter") {
    const { audienceFilter, audienceSegmentId, appliesDownstream } = workflowNode;
    const segment = audienceSegmentId === null ? {} : { audienceSegmentId };
    return { ...own, audienceFilter, ...segment, appliesDownstream } as FullNode;
  }
  return { ...own, ...short(workflowNode, aroundOf(sql, workflow)) } as FullNode;
};
