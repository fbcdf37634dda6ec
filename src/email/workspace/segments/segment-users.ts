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

const campaigns: Query = (sql, segment) =>
  sql
    .exec<{ id: string; name: string }>(
      "SELECT id, name FROM campaigns WHERE segment = ? AND status <> 'Sent' ORDER BY n",
      segment,
    )
    .toArray()
    .map(({ id, name }) => ({ kind: "campaign", id, name }));

const queries: readonly Query[] = [workflows, campaigns];

export const usersOfSegment = (sql: SqlStorage, segment: string): SegmentUser[] =>
  queries.flatMap((query) => query(sql, segment));
