import type { WaitingRun } from "../../workflows/diff/impact.ts";
import { gateOf } from "../../workflows/run/step.ts";
import { allWaiting } from "../workflows/waiting.ts";

/** Most runs of one slice: other requests are answered between two slices. */
const SLICE = 5_000;

/** The consent that a contact lacks. `consent`: JSON of its three choices. */
export const gateIn = (consent: string, list: string | null) => {
  const [subscribed, optInStatus, mailingLists] = JSON.parse(consent);
  return gateOf({ data: { subscribed, optInStatus, mailingLists } }, list);
};

type Row = { contact: number; seq: number; node: number; since: number; wake: number; consent: string; path: string };

/** A place in the order of the runs that wait. */
export type Place = readonly [wake: number, node: number, contact: number, seq: number];

/** Before the first run. */
export const START: Place = [-1, -1, -1, -1];

/** Which runs are read, and what of each. `nodes`: `k` of those at which they wait; undefined for all. `list`: the mailing list on which its contact has to be; null for none. */
type Wanted = { nodes: readonly number[] | undefined; list: string | null; readsPaths: boolean };

/**
 * The runs of a workflow that wait, after a place in the order of their index. `last`: where the next slice begins; undefined after the
 * last one. A run that moves between two slices may be read twice, or not at all; while a workflow is paused, none moves.
 */
export const waitingRuns = (
  sql: SqlStorage,
  workflow: number,
  { nodes, list, readsPaths }: Wanted,
  after: Place,
): { runs: WaitingRun[]; last: Place | undefined } => {
  const { sql: condition, values } = allWaiting(workflow);
  const consent =
    "(SELECT json_extract(data, '$.subscribed', '$.optInStatus', '$.mailingLists') FROM contacts WHERE n = runs.contact)";
  const path = readsPaths ? "(SELECT json_group_array(one.value->>0) FROM json_each(runs.path) AS one)" : "'[]'";
  const rows = sql
    .exec<Row>(
      `SELECT contact, seq, node, since, wake, ${consent} AS consent, ${path} AS path FROM runs
       WHERE ${condition} AND (wake, node, contact, seq) > (?2, ?3, ?4, ?5)
         AND (?6 IS NULL OR node IN (SELECT value FROM json_each(?6)))
       ORDER BY wake, node, contact, seq LIMIT ${SLICE}`,
      ...[...values, ...after, nodes === undefined ? null : JSON.stringify(nodes)],
    )
    .toArray();
  const end = rows.at(-1);
  return {
    runs: rows.map((row) => ({
      ...{ node: row.node, since: row.since, wake: row.wake, gate: gateIn(row.consent, list) },
      path: JSON.parse(row.path) as number[],
    })),
    last: end && rows.length === SLICE ? [end.wake, end.node, end.contact, end.seq] : undefined,
  };
};
