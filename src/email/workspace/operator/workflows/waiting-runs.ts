import type { WaitingRun } from "../../../policy/workflows/diff/impact.ts";
import { gateOf } from "../../../policy/workflows/run/step.ts";
import { allWaiting } from "../../workflows/waiting.ts";

/** Returns the missing consent of a contact. `consent`: JSON of its three choices. */
export const gateIn = (consent: string, list: string | null) => {
  const [subscribed, optInStatus, mailingLists] = JSON.parse(consent);
  return gateOf({ data: { subscribed, optInStatus, mailingLists } }, list);
};

type Row = { node: number; since: number; wake: number; consent: string; path: string };

export type RunPosition = readonly [wake: number, node: number, contact: number, seq: number];

export const START: RunPosition = [-1, -1, -1, -1];

/** `nodes`: `k` of the waiting nodes; undefined for all. `list`: the required mailing list; null for none. */
type Wanted = { nodes: readonly number[] | undefined; list: string | null; readsPaths: boolean };

type PositionRow = { wake: number; node: number; contact: number; seq: number };

const PLACE = "wake, node, contact, seq";

/** Returns the last of `many` waiting runs after a place in index order; undefined if fewer follow. */
export const endOfSlice = (
  sql: SqlStorage,
  workflow: number,
  after: RunPosition,
  many: number,
): RunPosition | undefined => {
  const { sql: condition, values } = allWaiting(workflow);
  const [end] = sql
    .exec<PositionRow>(
      `SELECT ${PLACE} FROM runs WHERE ${condition} AND (${PLACE}) > (?2, ?3, ?4, ?5) ORDER BY ${PLACE} LIMIT 1 OFFSET ?6`,
      ...values,
      ...after,
      many - 1,
    )
    .toArray();
  return end && [end.wake, end.node, end.contact, end.seq];
};

/**
 * Returns waiting runs between two places. A run that moves between slices may be read twice or missed; a paused
 * workflow moves none.
 */
export const waitingRuns = (
  sql: SqlStorage,
  workflow: number,
  { nodes, list, readsPaths }: Wanted,
  [after, end]: readonly [after: RunPosition, end: RunPosition | undefined],
): WaitingRun[] => {
  const { sql: condition, values } = allWaiting(workflow);
  const consent =
    "(SELECT json_extract(data, '$.subscribed', '$.optInStatus', '$.mailingLists') FROM contacts WHERE n = runs.contact)";
  const path = readsPaths ? "(SELECT json_group_array(one.value->>0) FROM json_each(runs.path) AS one)" : "'[]'";
  const until = end === undefined ? "" : `AND (${PLACE}) <= (?7, ?8, ?9, ?10)`;
  return sql
    .exec<Row>(
      `SELECT node, since, wake, ${consent} AS consent, ${path} AS path FROM runs
       WHERE ${condition} AND (${PLACE}) > (?2, ?3, ?4, ?5) ${until}
         AND (?6 IS NULL OR node IN (SELECT value FROM json_each(?6)))`,
      ...values,
      ...after,
      nodes === undefined ? null : JSON.stringify(nodes),
      ...(end ?? []),
    )
    .toArray()
    .map(({ consent: given, path: passed, ...run }) => ({
      ...run,
      gate: gateIn(given, list),
      path: JSON.parse(passed) as number[],
    }));
};
