import type { AudienceFilter } from "../../../../lib/contract/audience/filter.ts";
import type { Refusal } from "../../../../lib/contract/errors.ts";
import { checkFilter } from "../../../policy/segments/check.ts";
import { type Prefilter, prefilterOf } from "../../../policy/segments/prefilter.ts";
import { contactsByNumber } from "../../contacts/contact-rows.ts";
import { activitySql } from "../../segments/activity.ts";
import { evaluatorsOf, factsOf } from "../../segments/audience.ts";
import { filterOf, findSegment, segmentNotFound } from "../../segments/segment-rows.ts";
import { teamFactsOf } from "../../segments/team-facts.ts";

/** An audience as SQL. `judge` returns the row numbers to exclude. */
export type SearchAudience = Prefilter & { judge(unsure: readonly number[]): ReadonlySet<number> };

const EVERY_CONTACT: SearchAudience = { sql: "1", unsure: undefined, parameters: "[]", judge: () => new Set() };

type Named = { segmentId?: string | undefined; filter?: AudienceFilter | undefined };

/** Returns the audience of a segment and a filter, or all contacts. `now`: Unix ms for relative dates. */
export const readAudience = (
  sql: SqlStorage,
  { segmentId, filter }: Named,
  now: number,
): SearchAudience | { refusal: Refusal } => {
  const segment = segmentId === undefined ? undefined : findSegment(sql, segmentId);
  if (segmentId !== undefined && !segment)
    return { refusal: { ...segmentNotFound(segmentId).refusal, path: "segmentId" } };
  const checked = filter && checkFilter(filter, teamFactsOf(sql), "filter");
  if (checked && "refusal" in checked) return checked;
  const filters = [...(segment ? [filterOf(segment)] : []), ...(checked ? [checked.filter] : [])];
  if (filters.length === 0) return EVERY_CONTACT;
  const evaluators = evaluatorsOf(sql, filters);
  const judge = (unsure: readonly number[]) =>
    new Set(
      contactsByNumber(sql, unsure).flatMap((contact) => {
        const facts = factsOf(sql, contact, now);
        return evaluators.every((evaluator) => evaluator.matches(facts)) ? [] : [contact.n];
      }),
    );
  return { ...prefilterOf(filters, teamFactsOf(sql), activitySql, now), judge };
};
