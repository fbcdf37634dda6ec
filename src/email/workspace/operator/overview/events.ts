import type { AdminContract } from "../../../../lib/contract/admin/email.ts";
import type { Response } from "../../../../lib/contract/operation.ts";
import { beforeOf, cursorAfter, DEFAULT_PER_PAGE } from "../../../../lib/contract/pagination.ts";
import { isoOf } from "../../../../lib/util/dates.ts";
import type { Graph } from "../../../../lib/workflow-graph/types.ts";
import type { AdminInput } from "../../../types/workspace-rpc.ts";
import type { Context, Result } from "../../core/context.ts";
import type { AdminHandlers } from "../../core/handler.ts";
import { findPattern, patternNotFound } from "../../events/patterns.ts";

const SLICE = 10_000;

type List = Response<AdminContract["events"]["list"]>;
type Row = { n: number; at: number; matches: number };

/** Lists events, newest first. No index has names, so a search reads one slice. */
const listEvents = (
  { sql }: Pick<Context, "sql">,
  { cursor, perPage = DEFAULT_PER_PAGE, eventName }: AdminInput<"events.list">,
): Result<List> => {
  const before = beforeOf(cursor);
  if (typeof before !== "number") return before;
  const pattern = eventName === undefined ? undefined : (findPattern(sql, "name", eventName)?.n ?? 0);
  if (pattern === 0) return { body: { data: [], next: null, searchedTo: null } };
  const rows = sql.exec<Row>(
    `SELECT n, at, ${pattern === undefined ? "1" : "pattern = ?1"} AS matches FROM events WHERE n < ?2 ORDER BY n DESC LIMIT ${SLICE}`,
    pattern ?? 0,
    before,
  );
  const found: number[] = [];
  let looked = 0;
  let last: Row | undefined;
  for (const row of rows) {
    if (row.matches === 1 && found.length === perPage) return page(sql, found, last);
    looked += 1;
    last = row;
    if (row.matches === 1) found.push(row.n);
  }
  return page(sql, found, looked < SLICE ? undefined : last);
};

const page = (sql: SqlStorage, found: readonly number[], last: Row | undefined): { body: List } => ({
  body: {
    data: shown(sql, found),
    next: last === undefined ? null : cursorAfter(last.n),
    searchedTo: last === undefined ? null : isoOf(last.at),
  },
});

type Shown = {
  n: number;
  at: number;
  name: string;
  properties: string;
  id: string | null;
  email: string | null;
  user_id: string | null;
};

const shown = (sql: SqlStorage, numbers: readonly number[]): List["data"] =>
  sql
    .exec<Shown>(
      `SELECT e.n, e.at, p.name, json(e.properties) AS properties, c.id, c.email, c.user_id
       FROM json_each(?) j JOIN events e ON e.n = j.value JOIN event_patterns p ON p.n = e.pattern
       LEFT JOIN contacts c ON c.n = e.contact ORDER BY e.n DESC`,
      JSON.stringify(numbers),
    )
    .toArray()
    .map(({ n, at, name, properties, id, email, user_id: userId }) => ({
      id: `evt_${n.toString(36)}`,
      eventName: name,
      at: isoOf(at),
      properties: JSON.parse(properties) as Record<string, unknown>,
      contact: id === null ? null : { id, email, userId },
    }));

const eventUsage = (
  { sql }: Pick<Context, "sql">,
  { eventPatternId }: AdminInput<"eventPatterns.usage">,
): Result<Response<AdminContract["eventPatterns"]["usage"]>> => {
  const pattern = findPattern(sql, "id", eventPatternId);
  if (!pattern) return patternNotFound("eventPatternId");
  const workflows = sql
    .exec<{ id: string; name: string; status: string; graph: string }>(
      "SELECT id, name, status, graph FROM workflows WHERE deleted_at IS NULL AND instr(graph, 'EventTrigger') > 0 ORDER BY n DESC",
    )
    .toArray()
    .filter(({ graph }) => isStartedBy(JSON.parse(graph) as Graph, pattern.name))
    .map(({ id, name, status }) => ({ id, name, status }));
  return { body: { workflows } };
};

const isStartedBy = ({ nodes }: Graph, event: string): boolean =>
  Object.values(nodes).some((node) => node.typeName === "EventTrigger" && node.eventName === event);

export const events: AdminHandlers<"events"> = { list: listEvents };
export const eventPatterns: AdminHandlers<"eventPatterns"> = { usage: eventUsage };
