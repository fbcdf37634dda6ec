import type { CreatedType } from "../../../../../lib/workflow-graph/types.ts";

export const TYPE_NAMES: Readonly<Record<CreatedType, string>> = {
  TimerAction: "Wait",
  SendEmailAction: "Send a mail",
  AudienceFilter: "Filter",
  BranchNode: "Branch",
  ExperimentBranchNode: "Experiment",
  VariantNode: "Variant",
};

/** Service names of nodes by id. */
export const namesOf =
  ({ nodes }: { nodes: readonly { nodeId: string; text: string }[] }) =>
  (nodeId: string): string =>
    nodes.find((node) => node.nodeId === nodeId)?.text ?? nodeId;

/** Formats "2 contacts". */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

type Mails = { nodeId: string; mails?: { queued: number; held: number } | undefined };

/** Unsent mails of these nodes, lost on deletion. */
export const unsentOf = (nodes: readonly Mails[], ids: readonly string[]): number =>
  nodes
    .filter(({ nodeId }) => ids.includes(nodeId))
    .reduce((sum, { mails }) => sum + (mails ? mails.queued + mails.held : 0), 0);
