import * as z from "zod";
import { storedForm } from "../../../src/email/audience/meaning.ts";
import type { NodeOf } from "../../../src/email/workflows/graph/types.ts";
import {
  type AudienceCondition,
  type AudienceFilter,
  audienceFilter,
} from "../../../src/lib/contract/audience/filter.ts";
import type { Fault } from "./problem.ts";

/** The fields of an AudienceFilter. */
export type Audience = Pick<NodeOf<"AudienceFilter">, "audienceFilter" | "audienceSegmentId" | "appliesDownstream">;

/** Mailing lists and segments of the team: ids by name and by id. */
export type Names = { lists: ReadonlyMap<string, string>; segments: ReadonlyMap<string, string> };

/** What a file says about everyone. */
const EVERYONE = "everyone";

const condition = z.record(z.string(), z.unknown());
const conditions = z.array(condition).min(1, "must have at least one condition");

/** A filter of a file. */
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

/** Reads a filter. `fault` notes what is wrong, with the path below the filter. */
export const readFilter = (given: FileFilter, { segments }: Names, fault: Fault): Audience => {
  const everyone: Audience = { audienceFilter: null, audienceSegmentId: null, appliesDownstream: false };
  if (given === EVERYONE) return everyone;
  const { all, any, segment, appliesDownstream = false } = given;
  if (all && any) fault(["any"], 'must not be given together with "all"');
  if (segment !== undefined && !segments.has(segment)) fault(["segment"], `there is no segment "${segment}"`);
  const match = any ? "any" : "all";
  const list = any ?? all;
  const audienceSegmentId = segment === undefined ? null : (segments.get(segment) ?? null);
  return { audienceFilter: list ? read(match, list, fault) : null, audienceSegmentId, appliesDownstream };
};

const read = (match: "all" | "any", list: readonly Record<string, unknown>[], fault: Fault): AudienceFilter | null => {
  const parsed = audienceFilter.safeParse({ match, conditions: list.map(fullCondition) });
  if (parsed.success) return storedForm(parsed.data);
  for (const { path, message } of parsed.error.issues) {
    const [, position] = path;
    const key = Object.keys(list[Number(position)] ?? {})[0] ?? "";
    fault([match, Number(position ?? 0), key], `${String(path[2] ?? "")} ${message}`.trim());
  }
  return null;
};

const TYPES: readonly unknown[] = ["property", "optIn", "activity"];

/** `plan: { equals: pro }` and `invited: isTrue` as conditions of the API. Other conditions have its form. */
const fullCondition = (given: Record<string, unknown>): unknown => {
  const [[key, test] = [], ...more] = Object.entries(given);
  if (key === undefined || TYPES.includes(given.type) || more.length > 0) return given;
  if (typeof test !== "object" || test === null) return { type: "property", key, operator: test };
  const [[operator, value] = [], ...others] = Object.entries(test);
  return others.length > 0 ? given : { type: "property", key, operator, value };
};

/** Writes a filter. `segmentOf`: the name of a segment. */
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

const shortCondition = (one: AudienceCondition): Record<string, unknown> => {
  if (one.type !== "property") return { ...one };
  const { key, operator, value } = one;
  return { [key]: value === undefined ? operator : { [operator]: value } };
};
