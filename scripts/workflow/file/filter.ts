import * as z from "zod";
import { checkFilter } from "../../../src/email/policy/segments/check.ts";
import { storedForm } from "../../../src/email/policy/segments/meaning.ts";
import {
  type AudienceCondition,
  type AudienceFilter,
  audienceFilter,
} from "../../../src/lib/contract/audience/filter.ts";
import type { PropertyType } from "../../../src/lib/contract/contact-fields.ts";
import type { NodeOf } from "../../../src/lib/workflow-graph/types.ts";
import type { Fault, Path } from "./problem.ts";

export type Audience = Pick<NodeOf<"AudienceFilter">, "audienceFilter" | "audienceSegmentId" | "appliesDownstream">;

/** Names and ids of the team's lists and segments. Without `types`, property names are not checked. */
export type Names = {
  lists: ReadonlyMap<string, string>;
  segments: ReadonlyMap<string, string>;
  types?: ReadonlyMap<string, PropertyType>;
};

const EVERYONE = "everyone";

const condition = z.record(z.string(), z.unknown());
const conditions = z.array(condition).min(1, "must have at least one condition");

export const filterSchema = z.union(
  [
    z.literal(EVERYONE),
    z.strictObject({
      all: conditions.optional(),
      any: conditions.optional(),
      segment: z.string().optional(),
      appliesDownstream: z.boolean("must be true or false").optional(),
    }),
  ],
  'must be "everyone", or have "all" or "any" with conditions such as plan: { equals: pro }, or "segment"',
);
export type FileFilter = z.output<typeof filterSchema>;

/** Reads a filter. `fault` reports problems with the path below the filter. */
export const readFilter = (fileFilter: FileFilter, { segments, types }: Names, fault: Fault): Audience => {
  const everyone: Audience = { audienceFilter: null, audienceSegmentId: null, appliesDownstream: false };
  if (fileFilter === EVERYONE) return everyone;
  const { all, any, segment, appliesDownstream = false } = fileFilter;
  if (all && any) fault(["any"], 'must not be given together with "all"');
  if (segment !== undefined && !segments.has(segment)) fault(["segment"], `there is no segment "${segment}"`);
  const match = any ? "any" : "all";
  const list = any ?? all;
  const audienceSegmentId = segment === undefined ? null : (segments.get(segment) ?? null);
  return { audienceFilter: list ? read(match, list, types, fault) : null, audienceSegmentId, appliesDownstream };
};

const read = (
  match: "all" | "any",
  list: readonly Record<string, unknown>[],
  types: Names["types"],
  fault: Fault,
): AudienceFilter | null => {
  const at = (position: number): Path => [match, position, Object.keys(list[position] ?? {})[0] ?? ""];
  const odd = list.flatMap((one, i) => {
    const message = formFault(one);
    return message === undefined ? [] : [[i, message] as const];
  });
  for (const [i, message] of odd) fault(at(i), message);
  if (odd.length > 0) return null;
  const parsed = audienceFilter.safeParse({ match, conditions: list.map(fullCondition) });
  if (parsed.success) {
    if (types) for (const [i, message] of teamFaults(parsed.data, types)) fault(at(i), message);
    return storedForm(parsed.data);
  }
  for (const { path, message } of parsed.error.issues)
    fault(at(Number(path[1] ?? 0)), `${String(path[2] ?? "")} ${message}`.trim());
  return null;
};

const teamFaults = (
  { match, conditions }: AudienceFilter,
  types: ReadonlyMap<string, PropertyType>,
): [position: number, message: string][] =>
  conditions.flatMap((one, i): [number, string][] => {
    const checked = checkFilter({ match, conditions: [one] }, { types, messagesOf: () => [] }, "");
    return "refusal" in checked ? [[i, checked.refusal.message.replace(/^\.conditions\.0\./, "")]] : [];
  });

const formFault = (given: Record<string, unknown>): string | undefined => {
  const [[, test] = [], ...more] = Object.entries(given);
  if (TYPES.includes(given.type)) return undefined;
  if (more.length > 0) return "must be one condition: begin the next one with a dash";
  const operators = typeof test === "object" && test !== null ? Object.keys(test) : [];
  return operators.length > 1 ? `must have one operator, and has ${operators.join(" and ")}` : undefined;
};

const TYPES: readonly unknown[] = ["property", "optIn", "activity"];

/** Converts `plan: { equals: pro }` and `invited: isTrue` to the API form. */
const fullCondition = (given: Record<string, unknown>): unknown => {
  const [[key, test] = [], ...more] = Object.entries(given);
  if (key === undefined || TYPES.includes(given.type) || more.length > 0) return given;
  if (typeof test !== "object" || test === null) return { type: "property", key, operator: test };
  const [[operator, value] = [], ...others] = Object.entries(test);
  return others.length > 0 ? given : { type: "property", key, operator, value };
};

/** Writes a filter. `segmentOf` returns the name of a segment. */
export const writeFilter = (
  { audienceFilter: filter, audienceSegmentId: segment, appliesDownstream }: Audience,
  segmentOf: (id: string) => string,
): FileFilter => {
  const written = {
    ...(segment === null ? {} : { segment: segmentOf(segment) }),
    ...(filter === null ? {} : { [filter.match]: filter.conditions.map(shortCondition) }),
    ...(appliesDownstream ? { appliesDownstream } : {}),
  };
  return Object.keys(written).length > 0 ? written : EVERYONE;
};

const shortCondition = (audienceCondition: AudienceCondition): Record<string, unknown> => {
  if (audienceCondition.type !== "property") return { ...audienceCondition };
  const { key, operator, value } = audienceCondition;
  return { [key]: value === undefined ? operator : { [operator]: value } };
};
