import * as z from "zod";
import { resourceId } from "../fields.ts";

export const MAX_CONDITIONS = 50;

const operators = [
  ...(["any", "empty", "notEmpty", "equals", "notEquals", "contains", "notContains"] as const),
  ...(["greaterThan", "lessThan", "isTrue", "isFalse"] as const),
  ...(["dateEmpty", "dateNotEmpty", "after", "before", "between"] as const),
] as const;

const text = z.string().max(500, "must be at most 500 characters");
/** ISO 8601, Unix milliseconds, or a relative time such as "-P30D". */
const instant = z.union([text, z.number()], "must be a date: ISO 8601 or Unix milliseconds");

const span = z.strictObject({ from: instant, to: instant }).meta({ id: "ConditionTimeSpan" });
const value = z.union([text, z.number(), span]);
/** Operators without a value ignore every plain value: clients send `true` for isTrue, or null. */
const given = z.union([value, z.boolean(), z.null()], "must be text, a number, or an object with from and to");

const misplacedEnds: z.core.$ZodErrorMap = (issue) =>
  issue.code === "unrecognized_keys" && issue.keys.some((key) => key === "from" || key === "to")
    ? 'is not a field of a condition: between takes "value": { "from": …, "to": … }'
    : undefined;

const property = z
  .strictObject(
    {
      type: z.literal("property"),
      key: z.string().max(100, "must be at most 100 characters"),
      operator: z.enum(operators, `must be one of ${operators.join(", ")}`),
      value: given.optional(),
    },
    { error: misplacedEnds },
  )
  .meta({ id: "PropertyCondition" });

const optIn = z
  .strictObject({
    type: z.literal("optIn"),
    status: z.enum(["accepted", "pending", "rejected"], 'must be "accepted", "pending", "rejected" or null').nullable(),
  })
  .meta({ id: "OptInCondition" });

/**
 * True for contacts that were sent, opened or clicked a mail of the target. With `negate`, "opened" and "clicked" mean
 * "was sent one and did not", and "sent" means "was not sent one".
 */
const activity = z
  .strictObject({
    type: z.literal("activity"),
    action: z.enum(["sent", "opened", "clicked"], 'must be "sent", "opened" or "clicked"'),
    negate: z.boolean("must be true or false"),
    target: z.enum(["campaign", "workflow", "workflowEmail"], 'must be "campaign", "workflow" or "workflowEmail"'),
    id: resourceId,
  })
  .meta({ id: "ActivityCondition" });

const condition = z
  .discriminatedUnion("type", [property, optIn, activity], {
    error: ({ code }) => (code === "invalid_union" ? 'must be "property", "optIn" or "activity"' : undefined),
  })
  .meta({ id: "AudienceCondition" });

/**
 * Which contacts are meant: those that meet all of the conditions, or any of them. Only a team knows whether the properties
 * and targets exist; `checkFilter` (src/email/policy/segments) checks them, the operators, the values, and the number of conditions.
 */
export const audienceFilter = z
  .strictObject({
    match: z.enum(["all", "any"], 'must be "all" or "any"'),
    conditions: z.array(condition).min(1, "must have at least one condition").meta({ maxItems: MAX_CONDITIONS }),
  })
  .meta({ id: "AudienceFilter" });

export type AudienceFilter = z.output<typeof audienceFilter>;
export type AudienceCondition = AudienceFilter["conditions"][number];
export type PropertyCondition = Extract<AudienceCondition, { type: "property" }>;
export type Operator = PropertyCondition["operator"];
