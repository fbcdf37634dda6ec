import { counted } from "./shape/names.ts";
import type { NodeStatus, Status } from "./types.ts";

export const numberText = (number: number): string => number.toLocaleString("en");

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0);

const lostAt = ({ left }: NodeStatus): number => sum(left) - (left.completed ?? 0);

/** Formats "12 here · 340 passed · 25 in 24 h". The exit counts completed contacts. */
export const countsText = (node: NodeStatus): string => {
  const { typeName, waiting, passed, passedLastDay, left } = node;
  const lost = lostAt(node);
  const through =
    typeName === "ExitAction" ? `${numberText(left.completed ?? 0)} came through` : `${numberText(passed)} passed`;
  return [
    ...(typeName === "ExitAction" ? [] : [`${numberText(waiting)} here`]),
    through,
    ...(passedLastDay > 0 ? [`${numberText(passedLastDay)} in 24 h`] : []),
    ...(lost > 0 ? [`${numberText(lost)} left`] : []),
  ].join(" · ");
};

const REASONS: Readonly<Record<string, string>> = {
  completed: "went through the whole workflow",
  filtered: "did not match a filter",
  filter_stopped: "no longer matched a filter that applies to all later nodes",
  no_branch: "matched no path of a branch",
  not_sampled: "were not sampled by an experiment without a control",
  unsubscribed: "were unsubscribed",
  not_confirmed: "had not confirmed the subscription",
  left_list: "were not on the mailing list",
  list_changed: "were not on the new mailing list after an edit",
  node_deleted: "waited at a node that was deleted",
  removed: "were taken out by an operator",
  merged: "became one with another contact",
  contact_deleted: "were deleted",
  fault: "were given up after five failures",
  entered_before: "had entered before",
  too_many_active: "were in it 100 times",
  paused: "came while it was paused",
};

/** Formats "12 were unsubscribed". */
export const reasonLines = (counts: Readonly<Record<string, number>>): string[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${numberText(count)} ${REASONS[reason] ?? reason.replaceAll("_", " ")}`);

export const totalText = ({ entered, active }: Pick<Status, "entered" | "active">): string =>
  `${numberText(entered)} entered, ${numberText(active)} ${active === 1 ? "is" : "are"} in it now.`;

/** Effect on contacts of a stopped workflow. */
export const stayText = (active: number): string =>
  active === 1
    ? "1 contact stays where it is, and its mail is held."
    : `${counted(active, "contact")} stay where they are, and their mail is held.`;

/** Node text with a capital letter. */
export const nameOf = ({ text }: Pick<NodeStatus, "text">): string => text.charAt(0).toUpperCase() + text.slice(1);

export const nodeOf = ({ nodes }: Pick<Status, "nodes">, nodeId: string): NodeStatus | undefined =>
  nodes.find((node) => node.nodeId === nodeId);
