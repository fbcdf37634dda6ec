import type { CreatedType } from "../../../../../lib/workflow-graph/types.ts";

/** What a person calls a node of each type that can be added. */
export const TYPE_NAMES: Readonly<Record<CreatedType, string>> = {
  TimerAction: "Wait",
  SendEmailAction: "Send a mail",
  AudienceFilter: "Filter",
  BranchNode: "Branch",
  ExperimentBranchNode: "Experiment",
  VariantNode: "Variant",
};

/** The name of each node by its id, as the service tells it. */
export const namesOf =
  ({ nodes }: { nodes: readonly { nodeId: string; text: string }[] }) =>
  (nodeId: string): string =>
    nodes.find((one) => one.nodeId === nodeId)?.text ?? nodeId;

/** A number with its noun, such as "2 contacts". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

type Mails = { nodeId: string; mails?: { queued: number; held: number } | undefined };

/** How many mails of these nodes have not left yet, so that they are not sent when the nodes are deleted. */
export const unsentOf = (nodes: readonly Mails[], ids: readonly string[]): number =>
  nodes
    .filter(({ nodeId }) => ids.includes(nodeId))
    .reduce((sum, { mails }) => sum + (mails ? mails.queued + mails.held : 0), 0);
