import type { Refusal } from "../../../lib/contract/errors.ts";
import type { Graph, WorkflowStatus } from "../../../lib/workflow-graph/types.ts";
import { statusAt } from "../../policy/workflows/run/entry.ts";
import type { Context } from "../core/context.ts";
import { nextNumber } from "../core/numbers.ts";
import type { EndedByEdit } from "./waiting-runs.ts";

const KEPT_VERSIONS = 50;
/** Versions that ran or ended runs, and changes of the status. */
const KEPT_RUN_VERSIONS = 500;
const KEPT_CHANGES = 1_000;

/** `list`, `group`: ids. `pausedAt`: Unix ms; null if not paused. */
export type StoredWorkflow = {
  n: number;
  id: string;
  name: string;
  description: string;
  group: string;
  list: string | null;
  status: WorkflowStatus;
  pausedAt: number | null;
  revision: string;
  graph: Graph;
  createdAt: number;
  updatedAt: number;
};

type Row = {
  n: number;
  id: string;
  name: string;
  description: string;
  group_id: string;
  list: string | null;
  status: WorkflowStatus;
  paused_at: number | null;
  revision: string;
  graph: string;
  created_at: number;
  updated_at: number;
};

export type ListedWorkflow = Omit<Row, "description" | "list" | "revision" | "graph">;

/** Computed columns are left out, because they read the whole graph. */
const COLUMNS = `w.n, w.id, w.name, w.description, w.list, w.status, w.paused_at, w.revision, w.graph, w.created_at, w.updated_at,
  g.id AS group_id`;
const FROM = "FROM workflows w JOIN content_groups g ON g.n = w.content_group WHERE w.deleted_at IS NULL";

export const countWorkflows = (sql: SqlStorage): number =>
  sql.exec<{ total: number }>("SELECT count(*) AS total FROM workflows WHERE deleted_at IS NULL").one().total;

export const listWorkflows = (sql: SqlStorage, before: number, limit: number): ListedWorkflow[] =>
  sql
    .exec<ListedWorkflow>(
      `SELECT w.n, w.id, w.name, g.id AS group_id, w.status, w.paused_at, w.created_at, w.updated_at ${FROM} AND w.n < ?
       ORDER BY w.n DESC LIMIT ?`,
      before,
      limit,
    )
    .toArray();

export const findWorkflow = (
  { sql, now }: Pick<Context, "sql" | "now">,
  id: string,
): { workflow: StoredWorkflow } | { refusal: Refusal } => {
  const [row] = sql.exec<Row>(`SELECT ${COLUMNS} ${FROM} AND w.id = ?`, id).toArray();
  if (row) return { workflow: stored(row, now) };
  const message = `There is no workflow with the id "${id}". GET /v1/workflows lists them.`;
  return { refusal: { code: "workflow_not_found", path: "workflowId", message } };
};

export const sendingWorkflow = ({ sql, now }: Pick<Context, "sql" | "now">, n: number): StoredWorkflow | undefined => {
  const [row] = sql.exec<Row>(`SELECT ${COLUMNS} ${FROM} AND w.n = ? AND w.status = 'Sending'`, n).toArray();
  return row && stored(row, now);
};

const stored = (row: Row, now: number): StoredWorkflow => ({
  n: row.n,
  id: row.id,
  name: row.name,
  description: row.description,
  group: row.group_id,
  list: row.list,
  status: statusAt({ ...row, pausedAt: row.paused_at }, now),
  pausedAt: row.paused_at,
  revision: row.revision,
  graph: JSON.parse(row.graph) as Graph,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});

/** Changes the status, only here. A stop keeps the start of its pause; a version that runs is always kept. */
export const setStatus = (
  { sql, now }: Pick<Context, "sql" | "now">,
  { n, revision }: Pick<StoredWorkflow, "n" | "revision">,
  status: Exclude<WorkflowStatus, "Draft">,
): void => {
  const pausedAt = status === "Sending" ? "NULL" : "coalesce(paused_at, ?2)";
  sql.exec(`UPDATE workflows SET status = ?1, paused_at = ${pausedAt}, updated_at = ?2 WHERE n = ?3`, status, now, n);
  sql.exec("INSERT OR REPLACE INTO workflow_status_changes (workflow, at, status) VALUES (?, ?, ?)", n, now, status);
  sql.exec(
    `DELETE FROM workflow_status_changes WHERE workflow = ?1 AND at <= (SELECT at FROM workflow_status_changes WHERE workflow = ?1
       ORDER BY at DESC LIMIT 1 OFFSET ${KEPT_CHANGES})`,
    n,
  );
  if (status === "Sending") {
    sql.exec("UPDATE workflow_versions SET ran = 1 WHERE workflow = ? AND revision = ?", n, revision);
  }
};

type NewWorkflow = Pick<StoredWorkflow, "name" | "description" | "list" | "graph"> & { group: number };

export const addWorkflow = (context: Context, { name, description, group, list, graph }: NewWorkflow): string => {
  const { sql, now } = context;
  const [n, id, revision] = [nextNumber(sql, "workflows", now), context.id("wfl"), context.id("rev")];
  sql.exec(
    `INSERT INTO workflows (n, id, name, description, content_group, list, status, revision, graph, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, 'Draft', ?, ?, ?, ?)`,
    n,
    id,
    name,
    description,
    group,
    list,
    revision,
    JSON.stringify(graph),
    now,
    now,
  );
  addVersion(context, n, { revision, list, graph });
  return id;
};

/** `group`: n. `ended`: the runs that the change ended. */
export type WorkflowChanges = Partial<Pick<StoredWorkflow, "name" | "description" | "list" | "graph">> & {
  group?: number;
  ended?: readonly EndedByEdit[];
};

export const saveWorkflow = (context: Context, before: StoredWorkflow, changes: WorkflowChanges): void => {
  const { sql, now } = context;
  const { name, description, list, graph, ended = [] } = { ...before, ...changes };
  const revision = context.id("rev");
  sql.exec(
    `UPDATE workflows SET name = ?, description = ?, content_group = coalesce(?, content_group), list = ?, revision = ?, graph = ?,
       updated_at = ? WHERE n = ?`,
    name,
    description,
    changes.group ?? null,
    list,
    revision,
    JSON.stringify(graph),
    now,
    before.n,
  );
  addVersion(context, before.n, { revision, list, graph }, ended);
};

const addVersion = (
  { sql, now }: Context,
  n: number,
  { revision, list, graph }: Pick<StoredWorkflow, "revision" | "list" | "graph">,
  ended: readonly EndedByEdit[] = [],
): void => {
  const { number } = sql
    .exec<{ number: number }>(
      `INSERT INTO workflow_versions (workflow, number, revision, at, list, graph, ran, ended)
       SELECT ?, coalesce(max(number), 0) + 1, ?, ?, ?, ?, 0, ? FROM workflow_versions WHERE workflow = ? RETURNING number`,
      n,
      revision,
      now,
      list,
      JSON.stringify(graph),
      ended.length > 0 ? JSON.stringify(ended) : null,
      n,
    )
    .one();
  sql.exec(
    "DELETE FROM workflow_versions WHERE workflow = ? AND (number <= ? AND ran = 0 AND ended IS NULL OR number <= ?)",
    n,
    number - KEPT_VERSIONS,
    number - KEPT_RUN_VERSIONS,
  );
};

/** Hides a workflow; a chore deletes its rows. */
export const hideWorkflow = ({ sql, now }: Pick<Context, "sql" | "now">, { n }: Pick<StoredWorkflow, "n">): void => {
  sql.exec("UPDATE workflows SET deleted_at = ? WHERE n = ?", now, n);
};
