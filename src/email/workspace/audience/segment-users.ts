/** A campaign or workflow that names a segment. */
type SegmentUser = { kind: "campaign" | "workflow"; id: string; name: string };

type Query = (sql: SqlStorage, segment: string) => SegmentUser[];

const workflows: Query = (sql, segment) =>
  sql
    .exec<{ id: string; name: string }>(
      `SELECT id, name FROM workflows WHERE deleted_at IS NULL AND EXISTS
         (SELECT 1 FROM json_each(graph, '$.nodes') AS node WHERE node.value->>'audienceSegmentId' = ?) ORDER BY n`,
      segment,
    )
    .toArray()
    .map(({ id, name }) => ({ kind: "workflow", id, name }));

/** Each kind of user finds its own. Without campaigns there are none of that kind. */
const queries: readonly Query[] = [workflows];

/** Everything that uses the segment with this id, so that it cannot be deleted. */
export const usersOfSegment = (sql: SqlStorage, segment: string): SegmentUser[] =>
  queries.flatMap((query) => query(sql, segment));
