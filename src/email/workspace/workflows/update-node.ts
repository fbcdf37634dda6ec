import { standardProperties } from "../../../lib/contract/contact-fields.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Response } from "../../../lib/contract/operation.ts";
import type { V1 } from "../../../lib/contract/v1.ts";
import type { NodePayload } from "../../../lib/contract/workflows/requests.ts";
import { node } from "../../../lib/workflow-graph/edges.ts";
import { checkedQuery } from "../../../lib/workflow-graph/property-query.ts";
import type { Graph, NodeOf } from "../../../lib/workflow-graph/types.ts";
import { changeRefusal, type NodeChanges, updateNode as withChanges } from "../../../lib/workflow-graph/update.ts";
import { UNIT_MS } from "../../policy/workflows/run/step.ts";
import { type PropertyType, typeOf } from "../contacts/properties.ts";
import type { Context } from "../core/context.ts";
import type { Handlers } from "../core/handler.ts";
import { addSweeps } from "../core/sweeps.ts";
import { learnPattern, patternRefusal } from "../events/learn.ts";
import { findPattern, patternNotFound } from "../events/patterns.ts";
import { checkAudience } from "../segments/audience-check.ts";
import { changeable, changedTo } from "./change.ts";
import { fullNode } from "./shown-workflow.ts";
import { waitingAt } from "./waiting-runs.ts";
import type { StoredWorkflow } from "./workflow-rows.ts";

/** Changes fields of a node after checks of type, references and values. */
export const updateNode: Handlers<"workflows">["updateNode"] = (context, { nodeId, payload, ...asked }) => {
  const found = changeable(context, asked, ["nodeId", nodeId]);
  if ("refusal" in found) return found;
  const { workflow: before } = found;
  const { contactPropertyQuery: _, ...plain } = payload;
  const refusal = changeRefusal(node(before.graph, nodeId), payload as NodeChanges);
  if (refusal) return { refusal };
  const named = namedIn(context, payload);
  if ("refusal" in named) return named;
  const edit = withChanges(before.graph, nodeId, { ...plain, ...named.changes });
  if ("refusal" in edit) return edit;
  restartTimer(context, before, edit.graph, nodeId);
  const { stored, workflow } = changedTo(context, before, { graph: edit.graph });
  const own = { ...fullNode(context.sql, stored, nodeId), workflowRevisionId: stored.revision };
  return { body: { ...own, workflow } as Response<V1["workflows"]["updateNode"]> };
};

/** A changed timer counts from the contact's arrival. */
const restartTimer = (context: Context, { n, graph: before }: StoredWorkflow, after: Graph, id: string): void => {
  const [was, is] = [node(before, id), node(after, id)];
  if (was.typeName !== "TimerAction" || is.typeName !== "TimerAction" || lengthOf(was) === lengthOf(is)) return;
  addSweeps(context, waitingAt(n, [is.k]), { node: is.k, wait: Math.ceil(lengthOf(is)) });
};

const lengthOf = ({ amount, unit }: NodeOf<"TimerAction">): number => amount * UNIT_MS[unit];

const namedIn = (context: Context, payload: NodePayload): { changes: NodeChanges } | { refusal: Refusal } => {
  const event = eventOf(context, payload);
  if ("refusal" in event) return event;
  const audience = checkAudience(context.sql, payload, "payload.");
  if ("refusal" in audience) return audience;
  const changes = { ...event.changes, ...audience };
  if (payload.contactPropertyQuery === undefined) return { changes };
  const query = checkedQuery(payload.contactPropertyQuery, (key) => propertyType(context.sql, key));
  if ("refusal" in query) return query;
  return { changes: { ...changes, contactPropertyQuery: query.query } };
};

const eventOf = (
  context: Context,
  { eventPatternId, eventName }: NodePayload,
): { changes: Pick<NodeChanges, "eventName"> } | { refusal: Refusal } => {
  if (eventPatternId === null) return { changes: { eventName: null } };
  if (eventPatternId !== undefined) {
    const pattern = findPattern(context.sql, "id", eventPatternId);
    if (!pattern) return patternNotFound("payload.eventPatternId");
    return { changes: { eventName: pattern.name } };
  }
  // An event can be named before the first one is sent.
  const refusal =
    typeof eventName === "string" ? patternRefusal(context.sql, eventName, "payload.eventName") : undefined;
  if (refusal) return { refusal };
  if (typeof eventName === "string") learnPattern(context, eventName, undefined);
  return { changes: eventName === undefined ? {} : { eventName } };
};

const propertyType = (sql: SqlStorage, key: string): PropertyType | undefined =>
  standardProperties.find(({ name }) => name === key)?.type ?? typeOf(sql, key);
