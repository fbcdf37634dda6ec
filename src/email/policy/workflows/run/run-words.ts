import { wordsOfCondition, wordsOfConditions } from "../../../../lib/contract/audience/condition-words.ts";
import { minuteInWords } from "../../../../lib/util/dates.ts";
import { node, nodeAt } from "../../../../lib/workflow-graph/edges.ts";
import type {
  Comparison,
  ComparisonOperator,
  Graph,
  NodeOf,
  PropertyQuery,
  Trigger,
} from "../../../../lib/workflow-graph/types.ts";
import type { Mismatch, Visit } from "./types.ts";

/** Display name by id: email subject, segment name or list name. */
export type NameOf = (id: string) => string | undefined;

export const quotedName = (id: string, nameOf: NameOf): string => {
  const name = nameOf(id);
  return name ? `"${name}"` : id;
};

const UNITS = { m: "minute", h: "hour", d: "day" } as const;

export const counted = (amount: number, noun: string): string => `${amount} ${noun}${amount === 1 ? "" : "s"}`;

/** Unix ms as "2026-11-22 14:00 UTC", or "never" for infinity. */
export const wordsOfTime = (at: number): string => (Number.isFinite(at) ? minuteInWords(at) : "never");

/** Node in words, such as "the timer of 3 days". */
export const wordsOfNode = (graph: Graph, id: string, nameOf: NameOf): string => {
  const workflowNode = nodeAt(graph, id);
  if (!workflowNode) return "a node that was deleted";
  switch (workflowNode.typeName) {
    case "TimerAction":
      return `the timer of ${wordsOfDuration(workflowNode)}`;
    case "SendEmailAction": {
      const subject = nameOf(workflowNode.emailMessageId);
      return subject ? `the mail "${subject}"` : `the mail ${workflowNode.emailMessageId}, which has no subject`;
    }
    case "AudienceFilter":
      return wordsOfFilter(workflowNode, nameOf);
    case "BranchNode":
      return "the branch";
    case "ExperimentBranchNode":
      return "the experiment";
    case "VariantNode":
      return workflowNode.isControl ? "the control group of the experiment" : `the variant ${id} of the experiment`;
    case "ExitAction":
      return "the end of the workflow";
    default:
      return "the start of the workflow";
  }
};

/** Timer length, such as "3 days"; below a minute in seconds. */
export const wordsOfDuration = ({ amount, unit }: Pick<NodeOf<"TimerAction">, "amount" | "unit">): string => {
  const seconds = Math.round(amount * 60_000) / 1_000;
  return unit === "m" && amount < 1 && seconds > 0 ? counted(seconds, "second") : counted(amount, UNITS[unit]);
};

const wordsOfFilter = ({ audienceFilter, audienceSegmentId: id }: NodeOf<"AudienceFilter">, nameOf: NameOf): string => {
  const segment = id === null ? [] : [`must be in the segment ${quotedName(id, nameOf)}`];
  const all = [...segment, ...(audienceFilter?.conditions.length ? [wordsOfConditions(audienceFilter)] : [])];
  return all.length === 0 ? "a filter that everyone matches" : `the filter (${all.join(" and ")})`;
};

export const wordsOfTrigger = (trigger: Trigger): string | undefined => {
  switch (trigger.typeName) {
    case "BlankTrigger":
      return undefined;
    case "SignupTrigger":
      return "the creation of a contact";
    case "EventTrigger":
      return trigger.eventName === null ? undefined : `the event "${trigger.eventName}"`;
    case "ContactPropertyTrigger":
      return trigger.contactPropertyQuery === null
        ? undefined
        : `a change of "${trigger.contactPropertyQuery.key}" ${wordsOfChange(trigger.contactPropertyQuery)}`;
    case "AddToListTrigger":
      return "a contact that joins its mailing list";
  }
};

const wordsOfChange = ({ was, is }: PropertyQuery): string => `from ${wordsOfSide(was)} to ${wordsOfSide(is)}`;

const SIDES: Readonly<Record<ComparisonOperator, string>> = {
  any: "any value",
  empty: "no value",
  not_empty: "a value",
  equal: "",
  not_equal: "a value other than ",
  contains: "a value that contains ",
  not_contains: "a value that does not contain ",
  greater_than: "a number greater than ",
  less_than: "a number less than ",
  numeric_equal: "",
  numeric_not_equal: "a number other than ",
  true: "true",
  false: "false",
  after: "a date after ",
  before: "a date before ",
  between: "a date between ",
};

const wordsOfSide = ({ operator, value }: Comparison): string => {
  const words = SIDES[operator];
  if (operator === "between") return `${words}${String(value).replace("/", " and ")}`;
  return words === "" || words.endsWith(" ") ? `${words}${JSON.stringify(value)}` : words;
};

/** Mismatch in words, such as `"plan" must be "pro", and was "free"`. */
export const wordsOfMismatch = ({ condition, saw }: Mismatch): string => {
  if (!condition) return "its segment no longer exists";
  if (condition.type !== "property") return wordsOfCondition(condition);
  const value = saw === undefined || saw === null || saw === "" ? "empty" : JSON.stringify(saw);
  return `${wordsOfCondition(condition)}, and was ${value}`;
};

/** `at`: Unix ms of the edit. `list`: id of the mailing list. */
export type Version = { at: number; graph: Graph; list: string | null };

/** `versions`: oldest first. */
export const versionAt = <One extends Pick<Version, "at">>(versions: readonly One[], at: number): One | undefined =>
  versions.findLast((version) => version.at <= at) ?? versions[0];

export const graphAt = (versions: readonly Pick<Version, "at" | "graph">[], at: number): Graph | undefined =>
  versionAt(versions, at)?.graph;

/** The graph of a visit. A clock that was set back puts the visit before the edit that added its node. */
export const graphOfVisit = (versions: readonly Pick<Version, "at" | "graph">[], [k, at]: Visit): Graph | undefined => {
  const then = graphAt(versions, at);
  const has = (graph: Graph) => idAt(graph, k) !== undefined;
  return then === undefined || has(then) ? then : (versions.find(({ graph }) => has(graph))?.graph ?? then);
};

export const idAt = (graph: Graph, k: number): string | undefined =>
  Object.keys(graph.nodes).find((id) => node(graph, id).k === k);
