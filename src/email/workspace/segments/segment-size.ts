import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { checkFilter } from "../../policy/segments/check.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import { contactsByNumber } from "../contacts/contact-rows.ts";
import { createPause } from "../core/between-slices.ts";
import type { Context, Result } from "../core/context.ts";
import { cursorOf, readCursor } from "../core/cursor.ts";
import { audienceOf, evaluatorsOf, factsOf, lastContact } from "./audience.ts";
import { createNearMisses, type NamedFilter } from "./near-misses.ts";
import { drawNumbers, intervalOf } from "./sample.ts";
import { filterOf, findSegment, segmentNotFound } from "./segment-rows.ts";
import { teamFactsOf } from "./team-facts.ts";
import { unreachedIn } from "./unreached.ts";

/** Teams up to this many contact row numbers are always counted. */
export const ALWAYS_COUNTED = 10_000;
/** Random contacts: about 5 ms. */
export const SAMPLE = 1_000;
/** Slices per request: about 100 ms. */
const COUNTED_SLICES = 40;

type Input = AdminInput<"audience.estimate">;

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

type Count = { after: number; contacts: number; total: number };
type Counted = { contacts: number; total: number; after?: number };

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const readCount = (cursor: string | undefined): Count | undefined => {
  if (cursor === undefined) return { after: 0, contacts: 0, total: 0 };
  const value = readCursor(cursor);
  if (!Array.isArray(value) || value.length !== 3 || !value.every(isCount)) return undefined;
  const [after, contacts, total] = value as [number, number, number];
  return { after, contacts, total };
};

/** Counts contacts for about 100 ms per request. `after`: position for the next request; undefined at the end. */
const countForEstimate = async (sql: SqlStorage, input: Input, now: number): Promise<Counted | undefined> => {
  const read = filtersOf(sql, input);
  const start = readCount(input.cursor);
  if ("refusal" in read || !start || !isCounted(sql, input)) return undefined;
  const filters: AudienceFilter[] = read.filters.map(({ filter }) => filter);
  const audience = audienceOf(sql, filters, now);
  let { after, contacts, total } = start;
  const pause = createPause();
  for (let slices = 0; slices < COUNTED_SLICES; slices++) {
    const { contacts: more, next } = audience.count(after);
    contacts += more;
    total += contactsBetween(sql, after, next ?? audience.last);
    if (next === undefined) return { contacts, total };
    after = next;
    await pause();
  }
  return { contacts, total, after };
};

const isCounted = (sql: SqlStorage, { exact, cursor }: Input): boolean =>
  exact || cursor !== undefined || lastContact(sql) <= ALWAYS_COUNTED;

export const contactsBetween = (sql: SqlStorage, after: number, end: number): number =>
  sql.exec<{ count: number }>("SELECT count(*) AS count FROM contacts WHERE n > ? AND n <= ?", after, end).one().count;

/** Until the end the number is extrapolated, bounded by found and remaining contacts. */
const figuresOf = ({ contacts, total, after }: Counted, last: number) =>
  after === undefined
    ? { contacts, exact: true, low: contacts, high: contacts, total, next: null }
    : {
        contacts: Math.round((contacts / after) * last),
        exact: false,
        low: contacts,
        high: contacts + last - after,
        total: Math.round((total / after) * last),
        next: cursorOf([after, contacts, total]),
      };

/** Answers with a count or a sampled estimate, and with near misses. */
export const estimateAudience = async ({ sql, now }: Context, input: Input): Promise<Result<unknown>> => {
  const counted = await countForEstimate(sql, input, now);
  const read = filtersOf(sql, input);
  if ("refusal" in read) return read;
  if (!readCount(input.cursor)) {
    const message = "cursor: not one that an estimate gave. Leave it out to begin.";
    return { refusal: { code: "invalid_request", path: "cursor", message } };
  }
  const last = lastContact(sql);
  const figures = counted && figuresOf(counted, last);
  if (figures && input.cursor !== undefined) return { body: { ...figures, sampled: 0, nearMisses: [], warnings: [] } };
  const evaluators = evaluatorsOf(
    sql,
    read.filters.map(({ filter }) => filter),
  );
  const nearMisses = createNearMisses(read.filters, evaluators);
  const drawn = drawNumbers(last, SAMPLE, now);
  const sample = contactsByNumber(sql, drawn);
  let hits = 0;
  for (const contact of sample) {
    const facts = factsOf(sql, contact, now);
    if (evaluators.every((evaluator) => evaluator.matches(facts))) hits++;
    else nearMisses.add(facts);
  }
  const estimated = {
    exact: false,
    ...intervalOf(hits, drawn.length, last),
    total: Math.round((sample.length / drawn.length) * last),
    next: figures?.next ?? null,
  };
  const factor = drawn.length === 0 ? 1 : last / drawn.length;
  return {
    body: {
      ...(figures?.exact ? figures : estimated),
      sampled: sample.length,
      nearMisses: nearMisses.list(factor),
      warnings: unreachedIn(sql, read.filters, now),
    },
  };
};
