import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Refusal } from "../../../../lib/contract/errors.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { DEFAULT_PER_PAGE } from "../../../../lib/contract/pagination.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import { node } from "../../../../lib/workflow-graph/edges.ts";
import type { WaitingRun } from "../../../policy/workflows/diff/impact.ts";
import { wordsOfWait } from "../../../policy/workflows/run/explain.ts";
import { wordsOfNode } from "../../../policy/workflows/run/run-words.ts";
import { gateOf } from "../../../policy/workflows/run/step.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import type { Context, Result } from "../../core/context.ts";
import { cursorOf, readCursor } from "../../core/cursor.ts";
import { findNode } from "../../workflows/change.ts";
import { createNames } from "../../workflows/node-names.ts";
import { obstacleOf } from "../../workflows/runs/run-story.ts";
import { allWaiting } from "../../workflows/waiting-runs.ts";

type Here = Response<AdminContract["insight"]["here"]>;

/** No index has waiting runs by node alone. */
const SLICE = 20_000;

type ContactRow = PositionRow & {
  since: number;
  id: string;
  email: string | null;
  user_id: string | null;
  consent: string;
};

const positionOf = ({ wake, node: k, contact, seq }: PositionRow): RunPosition => [wake, k, contact, seq];

/** Lists the contacts that wait at a node, one slice per request. */
export const listHere = (
  context: Context,
  { cursor, perPage = DEFAULT_PER_PAGE, ...asked }: AdminInput<"insight.here">,
): Result<Here> => {
  const { sql, now } = context;
  const found = findNode(context, asked);
  if ("refusal" in found) return found;
  const after = positionIn(cursor);
  if ("refusal" in after) return after;
  const { workflow } = found;
  const { graph, list, n } = workflow;
  const workflowNode = node(graph, asked.nodeId);
  const end = endOfSlice(sql, n, after.position, SLICE);
  const rows = waitingAt(sql, n, workflowNode.k, { after: after.position, end, limit: perPage + 1 });
  const shown = rows.slice(0, perPage);
  const cut = rows.length > perPage ? shown.at(-1) : undefined;
  const last = cut ? positionOf(cut) : end;
  const where = wordsOfNode(graph, asked.nodeId, createNames(sql, n));
  const obstacle = obstacleOf(context, workflow);
  const isQueued = asked.nodeId === graph.root;
  return {
    body: {
      data: shown.map(({ id, email, user_id: userId, seq, since, wake, consent }) => ({
        contact: { id, email, userId },
        run: seq,
        since: isoOf(since),
        until: isoOf(wake),
        why: [wordsOfWait({ isQueued, where, wake, obstacle, now }), leavesAs(gateIn(consent, list))].join(""),
      })),
      next: last ? cursorOf(last) : null,
      searchedTo: last ? isoOf(last[0]) : null,
    },
  };
};

const GATES = {
  unsubscribed: "is unsubscribed",
  not_confirmed: "has not confirmed its subscription",
  left_list: "is not on the mailing list of the workflow",
} as const;

const leavesAs = (gate: ReturnType<typeof gateIn>): string =>
  gate === undefined ? "" : ` It leaves the workflow then, because it ${GATES[gate]}.`;

const waitingAt = (
  sql: SqlStorage,
  workflow: number,
  k: number,
  { after, end, limit }: { after: RunPosition; end: RunPosition | undefined; limit: number },
): ContactRow[] => {
  const { sql: condition, values } = allWaiting(workflow);
  const until = end === undefined ? "" : `AND (${POSITION}) <= (?8, ?9, ?10, ?11)`;
  return sql
    .exec<ContactRow>(
      `SELECT r.wake, r.node, r.contact, r.seq, r.since, c.id, c.email, c.user_id,
         json_extract(c.data, '$.subscribed', '$.optInStatus', '$.mailingLists') AS consent
       FROM (SELECT ${POSITION}, since FROM runs WHERE ${condition} AND node = ?6 AND (${POSITION}) > (?2, ?3, ?4, ?5) ${until}
         ORDER BY ${POSITION} LIMIT ?7) r JOIN contacts c ON c.n = r.contact ORDER BY r.wake, r.node, r.contact, r.seq`,
      ...values,
      ...after,
      k,
      limit,
      ...(end ?? []),
    )
    .toArray();
};

const positionIn = (cursor: string | undefined): { position: RunPosition } | { refusal: Refusal } => {
  if (cursor === undefined) return { position: START };
  const value = readCursor(cursor);
  if (Array.isArray(value) && value.length === 4 && value.every(Number.isSafeInteger))
    return { position: value as never };
  const message = "cursor: not one that this list gave. Leave it out for the first page.";
  return { refusal: { code: "invalid_request", path: "cursor", message } };
};

/** Returns the missing consent of a contact. `consent`: JSON of its three choices. */
const gateIn = (consent: string, list: string | null) => {
  const [subscribed, optInStatus, mailingLists] = JSON.parse(consent);
  return gateOf({ data: { subscribed, optInStatus, mailingLists } }, list);
};

type RunRow = { node: number; since: number; wake: number; consent: string; path: string };

export type RunPosition = readonly [wake: number, node: number, contact: number, seq: number];

export const START: RunPosition = [-1, -1, -1, -1];

/** `nodes`: `k` of the waiting nodes; undefined for all. `list`: the required mailing list; null for none. */
type Wanted = { nodes: readonly number[] | undefined; list: string | null; readsPaths: boolean };

type PositionRow = { wake: number; node: number; contact: number; seq: number };

const POSITION = "wake, node, contact, seq";

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
      `SELECT ${POSITION} FROM runs WHERE ${condition} AND (${POSITION}) > (?2, ?3, ?4, ?5) ORDER BY ${POSITION} LIMIT 1 OFFSET ?6`,
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
  const until = end === undefined ? "" : `AND (${POSITION}) <= (?7, ?8, ?9, ?10)`;
  return sql
    .exec<RunRow>(
      `SELECT node, since, wake, ${consent} AS consent, ${path} AS path FROM runs
       WHERE ${condition} AND (${POSITION}) > (?2, ?3, ?4, ?5) ${until}
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
