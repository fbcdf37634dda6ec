import { wordsOfNode, wordsOfTrigger } from "../../../src/email/policy/workflows/run/run-words.ts";
import { emptySource } from "../../../src/lib/lmx/message/message-source.ts";
import { node } from "../../../src/lib/workflow-graph/edges.ts";
import type { Graph, NodeOf, Trigger } from "../../../src/lib/workflow-graph/types.ts";
import { changesOf, payloadOf } from "./node-fields.ts";
import type { Op } from "./ops.ts";
import type { Plan } from "./plan.ts";
import type { Spec } from "./spec.ts";

const nodeText = ({ graph, messages }: Spec, id: string): string =>
  id === graph.root
    ? `the trigger: ${wordsOfTrigger(node(graph, id) as Trigger) ?? "nothing yet"}`
    : wordsOfNode(graph, id, (message) => messages[message]?.subject);

/** Describes a plan in lines: `+` new, `-` deleted, `~` changed. */
export const changeLines = ({ ops, pairs }: Plan, wanted: Spec, current: Spec): string[] => {
  const lines: string[] = [];
  if (wanted.name !== current.name) lines.push(`~ the name: "${current.name}" → "${wanted.name}"`);
  if (wanted.description !== current.description) lines.push("~ the description");
  if (wanted.list !== current.list)
    lines.push(`~ the mailing list: ${current.list ?? "none"} → ${wanted.list ?? "none"}`);
  for (const [w, one] of Object.entries(wanted.graph.nodes)) {
    const id = pairs.get(w) as string;
    const isNew = !Object.hasOwn(current.graph.nodes, id);
    if (isNew) lines.push(`+ ${nodeText(wanted, w)}`);
    else if (payloadOf(one, node(current.graph, id)))
      lines.push(`~ ${nodeText(current, id)} → ${nodeText(wanted, w)}${flagText(wanted, w, current, id)}`);
    if (one.typeName === "SendEmailAction" && !isNew)
      lines.push(...mailLines(one, node(current.graph, id), wanted, current));
  }
  const kept = new Set(pairs.values());
  for (const id of Object.keys(current.graph.nodes)) if (!kept.has(id)) lines.push(`- ${nodeText(current, id)}`);
  const rerouted = ops.filter((op) => op.do === "reroute").length;
  if (rerouted > 0) lines.push(`~ the order of steps: ${rerouted} connections`);
  return lines;
};

const flagText = (wanted: Spec, w: string, current: Spec, id: string): string => {
  const { typeName: _, ...changes } = payloadOf(node(wanted.graph, w), node(current.graph, id)) ?? {};
  const flags = (["reEligible", "appliesDownstream", "isControl", "samplingRate"] as const).filter(
    (flag) => flag in changes,
  );
  return flags.map((flag) => `, ${flag}: ${changes[flag]}`).join("");
};

const mailLines = (nodeOf: NodeOf<"SendEmailAction">, other: Graph["nodes"][string], wanted: Spec, current: Spec) => {
  const mail = wanted.messages[nodeOf.emailMessageId] ?? emptySource;
  const before = current.messages[(other as NodeOf<"SendEmailAction">).emailMessageId] ?? emptySource;
  const fields = Object.keys(changesOf(mail, before));
  return fields.length > 0 ? [`~ the mail "${before.subject}": ${fields.join(", ")}`] : [];
};

/** Formats a request, such as `POST …/nodes TimerAction`. `…` is the workflow path. */
export const opText = (op: Op): string => {
  switch (op.do) {
    case "properties":
      return "POST … name and description";
    case "list":
      return `POST …/mailing-list ${op.mailingListId ?? "none"}`;
    case "insert": {
      const { insertMode, ...at } = op.placement;
      return `POST …/nodes ${op.nodeTypeName} ${insertMode} ${Object.values(at).join(" and ")}`;
    }
    case "addBranch":
      return `POST …/nodes/${op.node}/add-branch`;
    case "update":
      return `POST …/nodes/${op.node} ${JSON.stringify(op.payload)}`;
    case "reroute":
      return `POST …/nodes/${op.node}/reroute to ${op.target}`;
    case "delete":
      return `DELETE …/nodes/${op.node}${op.below ? "/recursive" : ""}`;
    case "message":
      return `POST /v1/email-messages of ${op.node}: ${Object.keys(op.changes).join(", ")}`;
  }
};
