import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Refusal } from "../../../../lib/contract/errors.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { DEFAULT_PER_PAGE } from "../../../../lib/contract/pagination.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import { node } from "../../../../lib/workflow-graph/edges.ts";
import { wordsOfWait } from "../../../policy/workflows/run/explain.ts";
import { wordsOfNode } from "../../../policy/workflows/run/run-words.ts";
import type { AdminInput } from "../../../types/workspace.ts";
import type { Context, Result } from "../../core/context.ts";
import { cursorOf, readCursor } from "../../core/cursor.ts";
import { findNode } from "../../workflows/change.ts";
import { createNames } from "../../workflows/names.ts";
import { obstacleOf } from "../../workflows/runs/run-story.ts";
import { keptVersions } from "../../workflows/versions.ts";
import { allWaiting } from "../../workflows/waiting.ts";
import { findWorkflow } from "../../workflows/workflow-rows.ts";
import { endOfSlice, gateIn, type RunPosition, START } from "./waiting-runs.ts";

type Here = Response<AdminContract["insight"]["here"]>;
type Versions = Response<AdminContract["insight"]["versions"]>;

/** No index has waiting runs by node alone. */
const SLICE = 20_000;

const PLACE = "wake, node, contact, seq";

type PositionRow = { wake: number; node: number; contact: number; seq: number };
type Row = PositionRow & { since: number; id: string; email: string | null; user_id: string | null; consent: string };

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
): Row[] => {
  const { sql: condition, values } = allWaiting(workflow);
  const until = end === undefined ? "" : `AND (${PLACE}) <= (?8, ?9, ?10, ?11)`;
  return sql
    .exec<Row>(
      `SELECT r.wake, r.node, r.contact, r.seq, r.since, c.id, c.email, c.user_id,
         json_extract(c.data, '$.subscribed', '$.optInStatus', '$.mailingLists') AS consent
       FROM (SELECT ${PLACE}, since FROM runs WHERE ${condition} AND node = ?6 AND (${PLACE}) > (?2, ?3, ?4, ?5) ${until}
         ORDER BY ${PLACE} LIMIT ?7) r JOIN contacts c ON c.n = r.contact ORDER BY r.wake, r.node, r.contact, r.seq`,
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

const MOST_VERSIONS = 100;

export const listVersions = (context: Context, { workflowId }: AdminInput<"insight.versions">): Result<Versions> => {
  const found = findWorkflow(context, workflowId);
  if ("refusal" in found) return found;
  const { n, revision: current } = found.workflow;
  const data = keptVersions(context.sql, n)
    .toReversed()
    .slice(0, MOST_VERSIONS)
    .map(({ revision, at, ran }) => ({ revision, at: isoOf(at), ran, isCurrent: revision === current }));
  return { body: { data } };
};
