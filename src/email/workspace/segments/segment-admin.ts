import type { Refusal } from "../../../lib/contract/errors.ts";
import { checkFilter } from "../../policy/segments/check.ts";
import type { AdminInput } from "../../types/workspace-rpc.ts";
import type { Context } from "../core/context.ts";
import type { AdminHandlers } from "../core/handler.ts";
import {
  filterOf,
  findSegment,
  nameTaken,
  removeSegment,
  saveSegment,
  segmentNotFound,
  shownSegment,
} from "./segment-rows.ts";
import { estimateAudience } from "./segment-size.ts";
import { usersOfSegment } from "./segment-users.ts";
import { teamFactsOf } from "./team-facts.ts";

type Answer = { body: unknown } | { refusal: Refusal };

const updateSegment = (
  context: Context,
  { audienceSegmentId, ...changes }: AdminInput<"audience.updateSegment">,
): Answer => {
  const { sql } = context;
  const before = findSegment(sql, audienceSegmentId);
  if (!before) return segmentNotFound(audienceSegmentId);
  const { name = before.name, description = before.description } = changes;
  const taken = nameTaken(sql, name, before.id);
  if (taken) return { refusal: taken };
  const checked = changes.filter
    ? checkFilter(changes.filter, teamFactsOf(sql), "filter")
    : { filter: filterOf(before) };
  if ("refusal" in checked) return checked;
  return { body: shownSegment(saveSegment(context, before, { name, description, filter: checked.filter })) };
};

const showSegmentUsage = ({ sql }: Context, { audienceSegmentId }: AdminInput<"audience.usage">): Answer => {
  const row = findSegment(sql, audienceSegmentId);
  return row ? { body: { data: usersOfSegment(sql, row.id) } } : segmentNotFound(audienceSegmentId);
};

const deleteSegment = ({ sql }: Context, { audienceSegmentId }: AdminInput<"audience.removeSegment">): Answer => {
  const row = findSegment(sql, audienceSegmentId);
  if (!row) return segmentNotFound(audienceSegmentId);
  const users = usersOfSegment(sql, row.id);
  if (users.length > 0) {
    const names = users.map(({ kind, name, id }) => `${kind} "${name}" (${id})`).join(", ");
    const message = `The audience segment "${row.name}" is in use by ${names}. Change these first.`;
    return { refusal: { code: "segment_in_use", path: "audienceSegmentId", message, detail: { users } } };
  }
  removeSegment(sql, row);
  return { body: { success: true } };
};

export const audience: AdminHandlers<"audience"> = {
  updateSegment,
  usage: showSegmentUsage,
  removeSegment: deleteSegment,
  estimate: estimateAudience,
};
