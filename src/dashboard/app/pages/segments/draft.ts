import type { AudienceCondition, AudienceFilter, Operator } from "../../../../lib/contract/audience/filter.ts";
import { operatorsOf, WITHOUT_VALUE } from "../../../../lib/contract/audience/operators.ts";
import type { PropertyType } from "../../../../lib/contract/contact-fields.ts";
import { dateOf, dateText, isDate } from "./dates.ts";

type Activity = Extract<AudienceCondition, { type: "activity" }>;
type OptIn = Extract<AudienceCondition, { type: "optIn" }>;

/** A typed condition. `to`: end of a date range. `n`: unique key on the page. */
export type DraftCondition = { n: number } & (
  | { type: "property"; key: string; operator: Operator; value: string; to: string }
  | OptIn
  | Activity
);

export type Filter = { match: "all" | "any"; conditions: DraftCondition[] };

export type Draft = { name: string; description: string } & Filter;

export type Types = ReadonlyMap<string, PropertyType>;

const condition = (n: number, key: string, type: PropertyType): DraftCondition => ({
  n,
  type: "property",
  key,
  operator: operatorsOf[type][1] ?? "any",
  value: "",
  to: "",
});

export const emptyFilter: Filter = { match: "all", conditions: [condition(1, "email", "string")] };

export const emptyDraft: Draft = { name: "", description: "", ...emptyFilter };

const textOf = (value: unknown, isOfDates: boolean): string =>
  value === undefined || value === null ? "" : isOfDates ? dateText(value as string | number) : String(value);

/** Converts a stored filter for editing. */
export const filterDraftOf = (filter: AudienceFilter, types: Types): Filter => ({
  match: filter.match,
  conditions: filter.conditions.map((one, index): DraftCondition => {
    if (one.type !== "property") return { n: index + 1, ...one };
    const { type, key, operator, value } = one;
    const isOfDates = types.get(key) === "date";
    const isSpan = typeof value === "object" && value !== null;
    return {
      n: index + 1,
      type,
      key,
      operator,
      value: textOf(isSpan ? value.from : value, isOfDates),
      to: textOf(isSpan ? value.to : undefined, isOfDates),
    };
  }),
});

/** Condition with a new field, its first operator and no value. */
export const ofField = ({ n }: DraftCondition, field: string, types: Types): DraftCondition => {
  if (field === "optIn") return { n, type: "optIn", status: "accepted" };
  if (field === "activity") return { n, type: "activity", action: "opened", negate: false, target: "campaign", id: "" };
  const key = field.replace(/^property:/, "");
  return condition(n, key, types.get(key) ?? "string");
};

export const fieldOf = (draftCondition: DraftCondition): string =>
  draftCondition.type === "property" ? `property:${draftCondition.key}` : draftCondition.type;

export const withAnother = <F extends Filter>(draft: F): F => {
  const n = Math.max(0, ...draft.conditions.map((one) => one.n)) + 1;
  return { ...draft, conditions: [...draft.conditions, condition(n, "email", "string")] };
};

export const needsValue = (operator: Operator): boolean => !WITHOUT_VALUE.has(operator);

const storedValue = ({ operator, value, to }: Extract<DraftCondition, { type: "property" }>, type: PropertyType) => {
  if (!needsValue(operator)) return {};
  if (operator === "between") return { value: { from: dateOf(value), to: dateOf(to) } };
  if (type === "date") return { value: dateOf(value) };
  return { value: type === "number" ? Number(value.trim()) : value };
};

/** Converts a valid draft. */
export const filterOf = ({ match, conditions }: Filter, types: Types): AudienceFilter => ({
  match,
  conditions: conditions.map(({ n: _, ...one }): AudienceCondition => {
    if (one.type !== "property") return one;
    const { type, key, operator } = one;
    return { type, key, operator, ...storedValue({ n: 0, ...one }, types.get(key) ?? "string") };
  }),
});

/** Problem of an empty value. An untouched condition does not show it. */
export const NO_VALUE = "Give a value.";

const problemOf = (draftCondition: DraftCondition, types: Types): string | undefined => {
  if (draftCondition.type === "optIn") return undefined;
  if (draftCondition.type === "activity") return draftCondition.id.trim() === "" ? "Choose which one." : undefined;
  const type = types.get(draftCondition.key);
  if (type === undefined) return `There is no property "${draftCondition.key}" any more. Choose another one.`;
  if (!needsValue(draftCondition.operator)) return undefined;
  if (type === "date") {
    const ends =
      draftCondition.operator === "between" ? [draftCondition.value, draftCondition.to] : [draftCondition.value];
    return ends.every(isDate) ? undefined : 'Give a date such as 2026-01-31, or "30 days ago", "in 2 weeks".';
  }
  if (draftCondition.value.trim() === "") return NO_VALUE;
  return type === "number" && !Number.isFinite(Number(draftCondition.value))
    ? "Give a number, such as 12 or 1.5."
    : undefined;
};

/** Problems by condition `n`; 0 concerns the whole draft. */
export const problemsIn = ({ conditions }: Filter, types: Types): Record<number, string> => {
  const found = conditions.flatMap((one): [number, string][] => {
    const problem = problemOf(one, types);
    return problem === undefined ? [] : [[one.n, problem]];
  });
  return Object.fromEntries(conditions.length === 0 ? [[0, "Add a condition."]] : found);
};
