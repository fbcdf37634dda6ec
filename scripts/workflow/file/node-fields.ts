import { isDeepStrictEqual as isSame } from "node:util";
import {
  emptySource,
  FALLBACKS,
  type MessageSource,
  type SourceChanges,
} from "../../../src/lib/lmx/message/message-source.ts";
import { node } from "../../../src/lib/workflow-graph/edges.ts";
import type { NodeOf, WorkflowNode } from "../../../src/lib/workflow-graph/types.ts";
import type { NodeChanges } from "../../../src/lib/workflow-graph/update.ts";
import { type Draft, update } from "./ops.ts";
import type { Pairs, Spec } from "./spec.ts";

/** Adds requests for changed fields. Throws if the API cannot make the change. */
export const setFields = (draft: Draft, wanted: Spec, current: Spec, pairs: Pairs): void => {
  if (wanted.list !== current.list) draft.ops.push({ do: "list", mailingListId: wanted.list });
  // The new control takes the role from the former one.
  const order = Object.entries(wanted.graph.nodes).sort(([, a], [, b]) => Number(isControl(b)) - Number(isControl(a)));
  for (const [w, one] of order) {
    const id = pairs.get(w) as string;
    const payload = payloadOf(one, node(draft.graph, id));
    if (payload) update(draft, id, payload);
  }
  for (const [w, one] of Object.entries(wanted.graph.nodes)) {
    if (one.typeName !== "SendEmailAction") continue;
    const id = pairs.get(w) as string;
    const mail = wanted.messages[one.emailMessageId] ?? emptySource;
    const changes = changesOf(mail, mailOf(current, id));
    if (Object.keys(changes).length > 0) draft.ops.push({ do: "message", node: id, changes });
  }
  const properties = {
    ...(wanted.name === current.name ? {} : { name: wanted.name }),
    ...(wanted.description === current.description ? {} : { description: wanted.description }),
  };
  if (Object.keys(properties).length > 0) draft.ops.push({ do: "properties", ...properties });
};

const isControl = (workflowNode: WorkflowNode): boolean =>
  workflowNode.typeName === "VariantNode" && workflowNode.isControl;

/** A new node has an empty mail. */
const mailOf = ({ graph, messages }: Spec, id: string): MessageSource => {
  if (!Object.hasOwn(graph.nodes, id)) return emptySource;
  return messages[(node(graph, id) as NodeOf<"SendEmailAction">).emailMessageId] ?? emptySource;
};

/** Returns node changes; undefined if equal. */
export const payloadOf = (wanted: WorkflowNode, current: WorkflowNode): NodeChanges | undefined => {
  const { k: _, nextNodeIds: __, emailMessageId: ___, ...fields } = wanted as NodeOf<"SendEmailAction">;
  const changed = Object.entries(fields).filter(
    ([field, value]) => !isSame(value, (current as Readonly<Record<string, unknown>>)[field]),
  );
  if (changed.length === 0) return undefined;
  const payload: NodeChanges = Object.fromEntries(changed);
  if (wanted.typeName === "BlankTrigger")
    throw new Error("The workflow has a trigger, and the API cannot take it away: give the file a trigger.");
  if (wanted.typeName === "ContactPropertyTrigger" && wanted.contactPropertyQuery === null) {
    const { contactPropertyQuery: _query, ...rest } = payload;
    if (current.typeName === "ContactPropertyTrigger" && current.contactPropertyQuery !== null)
      throw new Error("The trigger waits for a property, and the API cannot take that away: name one in the file.");
    return Object.keys(rest).length > 0 ? rest : undefined;
  }
  if (wanted.typeName !== "AudienceFilter") return payload;
  // One of these fields alone would clear the other.
  const { audienceFilter, audienceSegmentId } = wanted;
  return "audienceFilter" in payload || "audienceSegmentId" in payload
    ? { ...payload, audienceFilter, audienceSegmentId }
    : payload;
};

/** Returns mail changes. A removed fallback is null. */
export const changesOf = (wanted: MessageSource, current: MessageSource): SourceChanges => {
  const changed = (Object.keys(emptySource) as (keyof MessageSource)[]).filter(
    (field) => !isSame(wanted[field], current[field]),
  );
  return Object.fromEntries(
    changed.map((field) => [
      field,
      isFallbacks(field) ? fallbackChanges(wanted[field], current[field]) : wanted[field],
    ]),
  );
};

const isFallbacks = (field: keyof MessageSource): field is (typeof FALLBACKS)[number] =>
  (FALLBACKS as readonly string[]).includes(field);

type Fallbacks = Readonly<Record<string, string>>;

const fallbackChanges = (wanted: Fallbacks, current: Fallbacks): Record<string, string | null> => ({
  ...Object.fromEntries(Object.keys(current).map((name) => [name, null])),
  ...wanted,
});
