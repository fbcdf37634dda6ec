/** A campaign or workflow that names a segment. */
export type SegmentUser = { kind: "campaign" | "workflow"; id: string; name: string };

type Query = (sql: SqlStorage, segment: string) => SegmentUser[];

/** Each kind of user finds its own. Without campaigns and workflows there are none. */
const queries: readonly Query[] = [];

/** Everything that uses the segment with this id, so that it cannot be deleted. */
export const usersOfSegment = (sql: SqlStorage, segment: string): SegmentUser[] =>
  queries.flatMap((query) => query(sql, segment));
