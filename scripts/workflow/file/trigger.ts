import type { PropertyType } from "../../../src/lib/contract/contact-fields.ts";
import { changedNode } from "../../../src/lib/contract/workflows/requests.ts";
import { toIsoDate } from "../../../src/lib/util/dates.ts";
import { nearest } from "../../../src/lib/util/nearest.ts";
import { checkedQuery, type SentQuery } from "../../../src/lib/workflow-graph/property-query.ts";
import type { Comparison, ComparisonOperator, NodeFields, Trigger } from "../../../src/lib/workflow-graph/types.ts";
import type { Names } from "./filter.ts";
import type { Fault } from "./problem.ts";
import type { FileTrigger } from "./schema.ts";

type TriggerFields = { [Type in Trigger["typeName"]]: { typeName: Type } & NodeFields[Type] }[Trigger["typeName"]];

/** Reads a trigger. A missing trigger is allowed. */
export const readTrigger = (given: FileTrigger | undefined, { types }: Names, fault: Fault): TriggerFields => {
  if (given === undefined) return { typeName: "BlankTrigger" };
  if (given === "signup") return { typeName: "SignupTrigger" };
  const { reEligible = false } = given;
  if ("event" in given) return checked({ typeName: "EventTrigger", eventName: given.event, reEligible }, fault);
  if ("list" in given) return { typeName: "AddToListTrigger", reEligible };
  if (given.property === null) return { typeName: "ContactPropertyTrigger", contactPropertyQuery: null, reEligible };
  const { property: key, was = "any", is = "any" } = given;
  const contactPropertyQuery = { key, is: comparisonOf(is), was: comparisonOf(was) };
  for (const [side, test] of Object.entries({ is, was })) {
    const operators = typeof test === "object" ? Object.keys(test) : [test];
    if (operators.length !== 1) fault([side], `must have one operator, and has ${operators.join(" and ") || "none"}`);
  }
  let isValid = true;
  const fields = checked({ typeName: "ContactPropertyTrigger", contactPropertyQuery, reEligible }, (path, message) => {
    isValid = false;
    fault(path, message);
  });
  if (isValid && types) checkQuery(contactPropertyQuery, types, fault);
  return fields;
};

const checkQuery = (query: SentQuery, types: ReadonlyMap<string, PropertyType>, fault: Fault): void => {
  const read = checkedQuery(query, (key) => types.get(key));
  if (!("refusal" in read)) return;
  const { code, path = "", message } = read.refusal;
  const like = nearest(query.key, types.keys());
  const meant = like === undefined ? "" : `: did you mean ${like}?`;
  const key = path.split(".")[2] ?? "";
  const words = code === "unknown_property" ? `there is no contact property "${query.key}"${meant}` : message;
  fault([key === "key" ? "property" : key], words.replace(/^payload\.contactPropertyQuery\.(key: |is\.|was\.)/, ""));
};

const checked = (fields: TriggerFields, fault: Fault): TriggerFields => {
  const { error } = changedNode.shape.payload.safeParse(fields);
  for (const { path, message } of error?.issues ?? []) {
    const [field, side] = path;
    const key = field === "eventName" ? "event" : field === "contactPropertyQuery" ? String(side) : String(field);
    fault([key === "key" ? "property" : key], message);
  }
  return fields;
};

const VALUELESS: readonly string[] = ["any", "empty", "not_empty", "true", "false"];
const DATES: readonly string[] = ["after", "before", "between"];

const comparisonOf = (given: string | Record<string, unknown>): Comparison => {
  const [operator = "", value = ""] = typeof given === "string" ? [given] : (Object.entries(given)[0] ?? []);
  const stored = VALUELESS.includes(operator) ? "" : DATES.includes(operator) ? datesIn(value) : value;
  const isNumber = operator.startsWith("numeric_") || operator.endsWith("_than");
  return {
    operator: operator as ComparisonOperator,
    value:
      isNumber && typeof stored === "string" && stored.trim() !== "" ? Number(stored) : (stored as string | number),
  };
};

const datesIn = (value: unknown): unknown => {
  if (typeof value === "object" && value !== null && "from" in value && "to" in value)
    return `${isoOf(value.from)}/${isoOf(value.to)}`;
  return typeof value === "string" ? value.split("/").map(isoOf).join("/") : isoOf(value);
};
/** Invalid dates pass unchanged; the API refuses them. */
const isoOf = (value: unknown): unknown =>
  (typeof value === "string" || typeof value === "number" ? toIsoDate(value) : undefined) ?? value;

/** Writes a trigger, or undefined for none. */
export const writeTrigger = (trigger: Trigger): FileTrigger | undefined => {
  switch (trigger.typeName) {
    case "BlankTrigger":
      return undefined;
    case "SignupTrigger":
      return "signup";
    case "EventTrigger":
      return { event: trigger.eventName, ...again(trigger) };
    case "AddToListTrigger":
      return { list: "joined", ...again(trigger) };
    case "ContactPropertyTrigger": {
      const { contactPropertyQuery: query } = trigger;
      if (query === null) return { property: null, ...again(trigger) };
      return { property: query.key, was: side(query.was), is: side(query.is), ...again(trigger) };
    }
  }
};

const again = ({ reEligible }: { reEligible: boolean }) => (reEligible ? { reEligible } : {});
const side = ({ operator, value }: Comparison) => (VALUELESS.includes(operator) ? operator : { [operator]: value });
