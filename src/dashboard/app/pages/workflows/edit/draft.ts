import type { Request, Response } from "../../../../../lib/contract/operation.ts";
import type { V1 } from "../../../../../lib/contract/v1.ts";
import type { TimerUnit } from "../../../../../lib/workflow-graph/types.ts";
import {
  emptyDraft,
  filterDraftOf,
  filterOf,
  problemsIn as problemsInFilter,
  type Filter as TypedFilter,
  type Types,
} from "../../segments/draft.ts";
import { emptySide, type Side, sideOf, sideProblem, storedSide } from "./query.ts";

export type FullNode = Response<V1["workflows"]["getNode"]>;
export type Payload = Request<V1["workflows"]["updateNode"]>["payload"];
type TriggerType = NonNullable<Payload["typeName"]>;

export type TriggerDraft = {
  type: "trigger";
  /** "" for no trigger. */
  typeName: TriggerType | "";
  eventName: string;
  reEligible: boolean;
  key: string;
  was: Side;
  is: Side;
};
export type TimerDraft = { type: "timer"; amount: string; unit: TimerUnit };
/** `hasFilter`: false for only a segment, or everyone. */
export type FilterDraft = {
  type: "filter";
  segment: string | null;
  hasFilter: boolean;
  filter: TypedFilter;
  appliesDownstream: boolean;
};
export type ExperimentDraft = { type: "experiment"; rate: string };
export type VariantDraft = { type: "variant"; isControl: boolean };

export type NodeDraft = TriggerDraft | TimerDraft | FilterDraft | ExperimentDraft | VariantDraft;

const noFilter: TypedFilter = { match: emptyDraft.match, conditions: emptyDraft.conditions };

const triggerOf = (node: FullNode): TriggerDraft => {
  const query = node.typeName === "ContactPropertyTrigger" ? node.contactPropertyQuery : null;
  return {
    type: "trigger",
    typeName: node.typeName === "BlankTrigger" ? "" : (node.typeName as TriggerType),
    eventName: (node.typeName === "EventTrigger" && node.eventName) || "",
    reEligible: "reEligible" in node && node.reEligible,
    key: query?.key ?? "",
    was: query ? sideOf(query.was as Parameters<typeof sideOf>[0]) : emptySide,
    is: query ? sideOf(query.is as Parameters<typeof sideOf>[0]) : emptySide,
  };
};

/** Editable fields of a node, or undefined. */
export const draftOf = (node: FullNode, types: Types): NodeDraft | undefined => {
  switch (node.typeName) {
    case "TimerAction":
      return { type: "timer", amount: String(node.amount), unit: node.unit };
    case "AudienceFilter":
      return {
        type: "filter",
        segment: node.audienceSegmentId ?? null,
        hasFilter: node.audienceFilter !== null,
        filter: node.audienceFilter === null ? noFilter : filterDraftOf(node.audienceFilter, types),
        appliesDownstream: node.appliesDownstream,
      };
    case "ExperimentBranchNode":
      return { type: "experiment", rate: String(node.samplingRate) };
    case "VariantNode":
      return { type: "variant", isControl: node.isControl };
    case "SendEmailAction":
    case "BranchNode":
    case "ExitAction":
      return undefined;
    default:
      return triggerOf(node);
  }
};

const ofTrigger = (draft: TriggerDraft, types: Types): Payload => {
  const { typeName, eventName, reEligible, key, was, is } = draft;
  const type = types.get(key) ?? "string";
  if (typeName === "EventTrigger") return { typeName, eventName: eventName.trim(), reEligible };
  if (typeName === "ContactPropertyTrigger") {
    const contactPropertyQuery = { key, was: storedSide(was, type), is: storedSide(is, type) };
    return { typeName, contactPropertyQuery, reEligible };
  }
  return typeName === "AddToListTrigger" ? { typeName, reEligible } : { typeName: "SignupTrigger" };
};

/** Request for a valid draft. */
export const payloadOf = (draft: NodeDraft, types: Types): Payload => {
  switch (draft.type) {
    case "trigger":
      return ofTrigger(draft, types);
    case "timer":
      return { amount: Number(draft.amount), unit: draft.unit };
    case "filter":
      return {
        audienceSegmentId: draft.segment,
        audienceFilter: draft.hasFilter ? filterOf(draft.filter, types) : null,
        appliesDownstream: draft.appliesDownstream,
      };
    case "experiment":
      return { samplingRate: Number(draft.rate) };
    case "variant":
      return { isControl: draft.isControl };
  }
};

const isNumber = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));
const DAYS = { m: 1 / 1440, h: 1 / 24, d: 1 };
const MAX_DAYS = 730;

/** Problems by form field. */
export type Problems = Readonly<Record<string, string>>;

const inTrigger = ({ typeName, eventName, key, was, is }: TriggerDraft, types: Types): Problems => {
  if (typeName === "") return { typeName: "Choose what starts the workflow." };
  if (typeName === "EventTrigger") return eventName.trim() === "" ? { eventName: "Give the name of the event." } : {};
  if (typeName !== "ContactPropertyTrigger") return {};
  const type = types.get(key);
  if (type === undefined) return { key: key === "" ? "Choose a property." : `There is no property "${key}" any more.` };
  const found = { was: sideProblem(was, type), is: sideProblem(is, type) };
  return Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined));
};

const inTimer = ({ amount, unit }: TimerDraft): Problems => {
  if (!isNumber(amount) || Number(amount) < 0) return { amount: "Give a number of at least 0, such as 3 or 1.5." };
  return Number(amount) * DAYS[unit] > MAX_DAYS ? { amount: `A timer waits at most ${MAX_DAYS} days.` } : {};
};

/** Problems by field. Filter conditions use `condition` + `n`. */
export const problemsIn = (draft: NodeDraft, types: Types): Problems => {
  switch (draft.type) {
    case "trigger":
      return inTrigger(draft, types);
    case "timer":
      return inTimer(draft);
    case "filter": {
      const found = draft.hasFilter ? problemsInFilter(draft.filter, types) : {};
      return Object.fromEntries(Object.entries(found).map(([n, problem]) => [`condition ${n}`, problem]));
    }
    case "experiment": {
      const rate = Number(draft.rate);
      return isNumber(draft.rate) && rate >= 0 && rate <= 100 ? {} : { rate: "Give a number from 0 to 100." };
    }
    case "variant":
      return {};
  }
};
