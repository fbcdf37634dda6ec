import type { WaitingRun } from "../../workflows/diff/impact.ts";
import { allWaiting } from "../workflows/waiting.ts";

/** Most runs of one slice: other requests are answered between two slices. */
const SLICE = 5_000;

type Row = { contact: number; seq: number; node: number; since: number; wake: number; onList: number; path: string };

/** A place in the order of the runs that wait. */
export type Place = readonly [wake: number, node: number, contact: number, seq: number];

/** What is read of each run. `list`: the mailing list whose members are told apart; null for none. */
type Wanted = { list: string | null; readsPaths: boolean };

/**
 * The runs of a workflow that wait, after a place in the order of their index. `last`: where the next slice begins; undefined after the
 * last one. A run that moves between two slices may be read twice, or not at all; while a workflow is paused, none moves.
 */
export const waitingRuns = (
  sql: SqlStorage,
  workflow: number,
  { list, readsPaths }: Wanted,
  after: Place = [-1, -1, -1, -1],
): { runs: WaitingRun[]; last: Place | undefined } => {
  const { sql: condition, values } = allWaiting(workflow);
  const onList =
    list === null
      ? "1"
      : "EXISTS (SELECT 1 FROM contacts c WHERE c.n = runs.contact AND c.data->'$.mailingLists'->>?6 = 1)";
  const path = readsPaths ? "(SELECT json_group_array(one.value->>0) FROM json_each(runs.path) AS one)" : "'[]'";
  const rows = sql
    .exec<Row>(
      `SELECT contact, seq, node, since, wake, ${onList} AS onList, ${path} AS path FROM runs
       WHERE ${condition} AND (wake, node, contact, seq) > (?2, ?3, ?4, ?5)
       ORDER BY wake, node, contact, seq LIMIT ${SLICE}`,
      ...[...values, ...after, ...(list === null ? [] : [list])],
    )
    .toArray();
  const end = rows.at(-1);
  return {
    runs: rows.map((row) => ({
      ...{ node: row.node, since: row.since, wake: row.wake, isOnList: row.onList === 1 },
      path: JSON.parse(row.path) as number[],
    })),
    last: end && rows.length === SLICE ? [end.wake, end.node, end.contact, end.seq] : undefined,
  };
};
