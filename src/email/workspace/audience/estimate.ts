import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { checkFilter } from "../../audience/check.ts";
import type { AdminInput } from "../../types/workspace.ts";
import type { Context } from "../base/context.ts";
import { pause } from "../base/pause.ts";
import { contactsByNumber } from "../contacts/row.ts";
import { audienceOf, evaluatorsOf, factsOf, lastContact } from "./audience.ts";
import { createNearMisses, type NamedFilter } from "./near-misses.ts";
import { drawNumbers, intervalOf } from "./sample.ts";
import { filterOf, findSegment, segmentNotFound } from "./segment-rows.ts";
import { teamFactsOf } from "./team-facts.ts";

/** A team with at most this many row numbers of contacts is always counted. */
export const ALWAYS_COUNTED = 10_000;
/** Contacts that are drawn at random: about 5 ms. */
export const SAMPLE = 1_000;

type Input = AdminInput<"audience.estimate">;

/** The filters of a request, all of which a contact must meet. */
const filtersOf = (
  sql: SqlStorage,
  { audienceSegmentId, filter }: Pick<Input, "audienceSegmentId" | "filter">,
): { filters: NamedFilter[] } | { refusal: Refusal } => {
  const segment = audienceSegmentId ? findSegment(sql, audienceSegmentId) : undefined;
  if (audienceSegmentId && !segment) return segmentNotFound(audienceSegmentId);
  const checked = filter ? checkFilter(filter, teamFactsOf(sql), "filter") : undefined;
  if (checked && "refusal" in checked) return checked;
  return {
    filters: [
      ...(segment ? [{ path: "segment.filter", filter: filterOf(segment) }] : []),
      ...(checked ? [{ path: "filter", filter: checked.filter }] : []),
    ],
  };
};

/**
 * Counts the contacts of an estimate, in slices, where the request asks for it or the team is small. Undefined where there
 * is nothing to count. Contacts that change meanwhile are counted as they were or as they are.
 */
export const countForEstimate = async (
  sql: SqlStorage,
  input: Omit<Input, "counted">,
  now: number,
): Promise<Input["counted"]> => {
  const read = filtersOf(sql, input);
  if ("refusal" in read || (!input.exact && lastContact(sql) > ALWAYS_COUNTED)) return undefined;
  const filters: AudienceFilter[] = read.filters.map(({ filter }) => filter);
  return { contacts: await countAll(sql, filters, now), total: await countAll(sql, [], now) };
};

/** Counts the contacts that meet all filters, in slices. */
export const countAll = async (sql: SqlStorage, filters: readonly AudienceFilter[], now: number): Promise<number> => {
  const audience = audienceOf(sql, filters, now);
  let all = 0;
  let after: number | undefined = 0;
  while (after !== undefined) {
    const { contacts, next }: ReturnType<typeof audience.count> = audience.count(after);
    all += contacts;
    if (next !== undefined) await pause();
    after = next;
  }
  return all;
};

/** Answers with the counted contacts, or with an estimate from a sample, and with near misses from a sample. */
export const estimateAudience = (
  { sql, now }: Context,
  { counted, ...input }: Input,
): { body: unknown } | { refusal: Refusal } => {
  const read = filtersOf(sql, input);
  if ("refusal" in read) return read;
  const evaluators = evaluatorsOf(
    sql,
    read.filters.map(({ filter }) => filter),
  );
  const nearMisses = createNearMisses(read.filters, evaluators);
  const last = lastContact(sql);
  const drawn = drawNumbers(last, SAMPLE, now);
  const sample = contactsByNumber(sql, drawn);
  let hits = 0;
  for (const contact of sample) {
    const facts = factsOf(sql, contact, now);
    if (evaluators.every((evaluator) => evaluator.matches(facts))) hits++;
    else nearMisses.add(facts);
  }
  const figures = counted
    ? { exact: true, ...counted, low: counted.contacts, high: counted.contacts }
    : {
        exact: false,
        ...intervalOf(hits, drawn.length, last),
        total: Math.round((sample.length / drawn.length) * last),
      };
  const factor = drawn.length === 0 ? 1 : last / drawn.length;
  return { body: { ...figures, sampled: sample.length, nearMisses: nearMisses.list(factor) } };
};
