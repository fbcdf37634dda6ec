import { pageOf } from "../../../lib/contract/pagination.ts";
import { checkFilter } from "../../policy/segments/check.ts";
import type { Handlers } from "../core/handler.ts";
import {
  countSegments,
  findSegment,
  insertSegment,
  nameTaken,
  segmentNotFound,
  segmentsBelow,
  shownSegment,
} from "./segment-rows.ts";
import { teamFactsOf } from "./team-facts.ts";

const MAX_SEGMENTS = 1_000;

export const audienceSegments: Handlers<"audienceSegments"> = {
  list({ sql, origin }, input) {
    const rows = (before: number, count: number) => segmentsBelow(sql, before, count);
    return pageOf(`${origin}/v1/audience-segments`, input, countSegments(sql), rows, shownSegment);
  },

  create(context, { name, description = null, filter }) {
    const { sql } = context;
    if (countSegments(sql) >= MAX_SEGMENTS) {
      const message = `The team has ${MAX_SEGMENTS} audience segments, and cannot have more. Delete or change one of them.`;
      return { refusal: { code: "too_many_segments", message } };
    }
    const taken = nameTaken(sql, name);
    if (taken) return { refusal: taken };
    const checked = checkFilter(filter, teamFactsOf(sql), "filter");
    if ("refusal" in checked) return checked;
    return { body: shownSegment(insertSegment(context, { name, description, filter: checked.filter })) };
  },

  get({ sql }, { audienceSegmentId }) {
    const row = findSegment(sql, audienceSegmentId);
    return row ? { body: shownSegment(row) } : segmentNotFound(audienceSegmentId);
  },
};
