import { contactsByNumber } from "../../contacts/contact-rows.ts";
import { evaluatorsOf, factsOf, lastContact } from "../../segments/audience.ts";
import { add, exclusionOf } from "../../segments/exclusions.ts";
import { drawNumbers, intervalOf } from "../../segments/sample.ts";
import { SAMPLE } from "../../segments/segment-size.ts";
import { type Aim, type CountedAudience, nextOf } from "./count-audience.ts";

/** `next`: the cursor of the count; null at its end or without a count. */
export type Estimate = {
  recipients: number;
  exact: boolean;
  low: number;
  high: number;
  matching: number;
  excluded: Record<string, number>;
  total: number;
  next: string | null;
};

/** Returns counted numbers, a projection of a partial count, or a sample estimate. */
export const estimateOf = (sql: SqlStorage, aim: Aim, counted: CountedAudience | undefined, now: number): Estimate => {
  const last = lastContact(sql);
  if (counted) return figuresOf(counted, last);
  const drawn = drawNumbers(last, SAMPLE, now);
  const sample = contactsByNumber(sql, drawn);
  const evaluators = evaluatorsOf(sql, aim.filters);
  const reasons = new Map<string, number>();
  for (const contact of sample) {
    const facts = factsOf(sql, contact, now);
    if (evaluators.every((evaluator) => evaluator.matches(facts))) add(reasons, exclusionOf(sql, contact, aim), 1);
  }
  const factor = drawn.length === 0 ? 0 : last / drawn.length;
  const { "": hits = 0, ...excluded } = Object.fromEntries(reasons);
  const { contacts: recipients, low, high } = intervalOf(hits, drawn.length, last);
  const others = scaled(excluded, factor);
  return {
    recipients,
    exact: false,
    low,
    high,
    matching: recipients + sum(others),
    excluded: others,
    total: Math.round(sample.length * factor),
    next: null,
  };
};

/** An unfinished count gives a projection. Its minimum is the recipients found; its maximum adds all contacts left. */
const figuresOf = (counted: CountedAudience, last: number): Estimate => {
  const { recipients: found, excluded, total, after } = counted;
  if (after === undefined)
    return {
      recipients: found,
      exact: true,
      low: found,
      high: found,
      matching: found + sum(excluded),
      excluded,
      total,
      next: null,
    };
  const factor = last / after;
  const [recipients, others] = [Math.round(found * factor), scaled(excluded, factor)];
  return {
    recipients,
    exact: false,
    low: found,
    high: found + last - after,
    matching: recipients + sum(others),
    excluded: others,
    total: Math.round(total * factor),
    next: nextOf(counted),
  };
};

const scaled = (counts: Readonly<Record<string, number>>, factor: number): Record<string, number> =>
  Object.fromEntries(Object.entries(counts).map(([reason, count]) => [reason, Math.round(count * factor)]));

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, one) => total + one, 0);
