import type { AudienceFilter } from "../contract/audience/filter.ts";

type Pair = { audienceSegmentId: string | null; audienceFilter: AudienceFilter | null };
type Changes = { [Field in keyof Pair]?: Pair[Field] | undefined };

/** Applies changes: one given field replaces both, a null clears only itself. */
export const pairAfter = (before: Pair, { audienceFilter: filter, audienceSegmentId: segment }: Changes): Pair => ({
  audienceFilter: filter === undefined ? (segment ? null : before.audienceFilter) : filter,
  audienceSegmentId: segment === undefined ? (filter ? null : before.audienceSegmentId) : segment,
});
