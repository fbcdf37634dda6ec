import type {
  AudienceCondition,
  AudienceFilter,
  Operator,
  PropertyCondition,
} from "../../../lib/contract/audience/filter.ts";
import { operatorsOf, WITHOUT_VALUE } from "../../../lib/contract/audience/operators.ts";
import { type PropertyType, standardProperties } from "../../../lib/contract/contact-fields.ts";
import { emailKey } from "../../../lib/util/email-key.ts";
import type { Action, TeamFacts } from "./facts.ts";
import { type Instant, moved, readSpan, timeOf } from "./instant.ts";

/** A condition for evaluator and SQL. `negate` includes contacts without the value. */
export type Question = { negate: boolean } & (
  | { ask: "everyone" }
  | { ask: "empty"; key: string }
  | { ask: "email"; emailKey: string }
  /** NFC text. */
  | { ask: "text"; key: string; text: string }
  /** NFC text, then lower case. */
  | { ask: "contains"; key: string; text: string }
  | { ask: "number"; key: string; compare: "equals" | "greaterThan" | "lessThan"; number: number }
  | { ask: "flag"; key: string; flag: boolean }
  /** Both ends are inclusive. */
  | { ask: "date"; key: string; from: Instant | undefined; to: Instant | undefined }
  | { ask: "optIn"; status: string | null }
  /** Done is `action`, and not `lacks`. */
  | { ask: "activity"; action: Action; lacks: Action | undefined; messages: readonly number[] }
);

/** A faulty condition. `field` is its part, such as `operator` or `value.from`. */
export type Fault = { field: string; message: string };

const standard = new Map<string, PropertyType>(standardProperties.map(({ name, type }) => [name, type]));

export const typeOf = (key: string, { types }: TeamFacts): PropertyType | undefined =>
  standard.get(key) ?? types.get(key);

export const propertyNames = ({ types }: TeamFacts): string[] => [...standard.keys(), ...types.keys()];

const types = Object.keys(operatorsOf) as PropertyType[];

/** Removes values that operators ignore. */
export const storedForm = ({ match, conditions }: AudienceFilter): AudienceFilter => ({
  match,
  conditions: conditions.map((condition) => {
    if (condition.type !== "property" || !WITHOUT_VALUE.has(condition.operator)) return condition;
    const { value: _ignored, ...rest } = condition;
    return rest;
  }),
});

export const readProperty = (
  { key, operator, value }: PropertyCondition,
  type: PropertyType,
  { timeZone = () => "UTC" }: Pick<TeamFacts, "timeZone">,
): Question | Fault => {
  if (!operatorsOf[type].includes(operator)) {
    const message = `a ${type} property has the operators ${operatorsOf[type].join(", ")}`;
    return { field: "operator", message: `"${operator}" does not fit "${key}": ${message}` };
  }
  switch (operator) {
    case "any":
      return { ask: "everyone", negate: false };
    case "empty":
    case "dateEmpty":
      return { ask: "empty", key, negate: false };
    case "notEmpty":
    case "dateNotEmpty":
      return { ask: "empty", key, negate: true };
    case "isTrue":
    case "isFalse":
      return { ask: "flag", key, flag: operator === "isTrue", negate: false };
    case "after":
    case "before":
    case "between":
      return readDate(key, operator, value, timeZone());
    default:
      return type === "number" ? readNumber(key, operator, value) : readText(key, operator, value);
  }
};

type Value = PropertyCondition["value"];

const readText = (key: string, operator: Operator, value: Value): Question | Fault => {
  if (typeof value !== "string") return { field: "value", message: "must be text" };
  const text = value.normalize("NFC");
  const negate = operator.startsWith("not");
  if (operator === "contains" || operator === "notContains") {
    return { ask: "contains", key, text: text.toLowerCase(), negate };
  }
  return key === "email" ? { ask: "email", emailKey: emailKey(value), negate } : { ask: "text", key, text, negate };
};

const NUMERIC = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

const readNumber = (key: string, operator: Operator, value: Value): Question | Fault => {
  const number = typeof value === "string" && NUMERIC.test(value) ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) return { field: "value", message: "must be a number" };
  const negate = operator === "notEquals";
  const compare = operator === "greaterThan" || operator === "lessThan" ? operator : "equals";
  return { ask: "number", key, compare, number, negate };
};

const readDate = (
  key: string,
  operator: "after" | "before" | "between",
  value: Value,
  timeZone: string,
): Question | Fault => {
  if (operator !== "between") {
    const span = readSpan(value, timeZone);
    if (typeof span === "string") return { field: "value", message: span };
    // Dates have whole ms, so an exclusive bound moves by one.
    const [from, to] = operator === "after" ? [moved(span.last, 1), undefined] : [undefined, moved(span.first, -1)];
    return { ask: "date", key, from, to, negate: false };
  }
  if (typeof value !== "object" || value === null) {
    return { field: "value", message: 'must be an object with "from" and "to"' };
  }
  const [first, last] = [readSpan(value.from, timeZone), readSpan(value.to, timeZone)];
  if (typeof first === "string") return { field: "value.from", message: first };
  if (typeof last === "string") return { field: "value.to", message: last };
  const [from, to] = [first.first, last.last];
  const isComparable = "at" in from === "at" in to;
  if (isComparable && timeOf(from, 0) > timeOf(to, 0)) return { field: "value.to", message: "must not be before from" };
  return { ask: "date", key, from, to, negate: false };
};

/**
 * Reads a stored condition. A deleted property has no values; a deleted target matches no contact, even if negated.
 */
export const questionOf = (condition: AudienceCondition, team: TeamFacts): Question => {
  switch (condition.type) {
    case "optIn":
      return { ask: "optIn", status: condition.status, negate: false };
    case "activity": {
      const { action, negate, target, id } = condition;
      const messages = team.messagesOf(target, id);
      if (!messages) return { ask: "everyone", negate: true };
      // Only a contact that was sent a mail can fail to open it.
      return negate && action !== "sent"
        ? { ask: "activity", action: "sent", lacks: action, messages, negate: false }
        : { ask: "activity", action, lacks: undefined, messages, negate };
    }
    case "property": {
      const type = typeOf(condition.key, team);
      const reads = (type ? [type] : types).map((propertyType) => readProperty(condition, propertyType, team));
      const question = reads.find((read) => "ask" in read);
      if (question) return question;
      throw new Error(`A stored condition on "${condition.key}" is not valid.`);
    }
  }
};
