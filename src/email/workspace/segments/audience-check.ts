import type { AudienceFilter } from "../../../lib/contract/audience/filter.ts";
import type { Refusal } from "../../../lib/contract/errors.ts";
import { checkFilter } from "../../policy/segments/check.ts";
import { findSegment, segmentNotFound } from "./segment-rows.ts";
import { teamFactsOf } from "./team-facts.ts";

type Named = { audienceSegmentId?: string | null | undefined; audienceFilter?: AudienceFilter | null | undefined };

/** @param at path prefix, such as "payload." */
export const checkAudience = (
  sql: SqlStorage,
  { audienceSegmentId, audienceFilter }: Named,
  at: "" | "payload." | "audience.",
): { audienceFilter?: AudienceFilter | null } | { refusal: Refusal } => {
  if (typeof audienceSegmentId === "string" && !findSegment(sql, audienceSegmentId)) {
    const { refusal } = segmentNotFound(audienceSegmentId);
    return { refusal: { ...refusal, path: `${at}audienceSegmentId` } };
  }
  if (!audienceFilter) return audienceFilter === undefined ? {} : { audienceFilter };
  const checked = checkFilter(audienceFilter, teamFactsOf(sql), `${at}audienceFilter`);
  return "refusal" in checked ? checked : { audienceFilter: checked.filter };
};
