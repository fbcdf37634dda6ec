import type { Status } from "./types.ts";

export const numberText = (number: number): string => number.toLocaleString("en");

/** Formats "2 days". */
export const counted = (count: number, noun: string): string => `${numberText(count)} ${noun}${count === 1 ? "" : "s"}`;

/** Formats "1 person" and "2 people". `verb`: of one, and of several. */
export const people = (count: number, ...[one, many = one]: string[]): string =>
  `${numberText(count)} ${count === 1 ? "person" : "people"}${one === undefined ? "" : ` ${count === 1 ? one : many}`}`;

const REASONS: Readonly<Record<string, string>> = {
  completed: "Went through the whole workflow",
  filtered: "Did not match a filter",
  filter_stopped: "No longer matched a filter for all later steps",
  no_branch: "Matched no way of a branch",
  not_sampled: "Not sampled by an experiment without a control",
  unsubscribed: "Unsubscribed",
  not_confirmed: "Had not confirmed the subscription",
  left_list: "Not on the mailing list",
  list_changed: "Not on the new mailing list after an edit",
  node_deleted: "Waited at a step that was deleted",
  removed: "Taken out by hand",
  merged: "Became one with another person",
  contact_deleted: "Deleted",
  fault: "Given up after five failures",
  entered_before: "Had entered before",
  too_many_active: "Were in it 100 times",
  paused: "Came while it was paused",
};

/** Reasons with their counts, as facts. */
export const reasonFacts = (counts: Readonly<Record<string, number>>): { label: string; value: string }[] =>
  Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => ({ label: REASONS[reason] ?? reason.replaceAll("_", " "), value: numberText(count) }));

export const totalText = ({ entered, active }: Pick<Status, "entered" | "active">): string =>
  `${numberText(entered)} entered, ${numberText(active)} ${active === 1 ? "is" : "are"} in it now`;

/** Effect on people of a stopped workflow. */
export const stayText = (active: number): string =>
  active === 1
    ? "1 person stays where they are, and their mail is held."
    : `${people(active)} stay where they are, and their mail is held.`;
