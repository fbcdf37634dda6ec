import type { Graph } from "../../../lib/workflow-graph/types.ts";
import type { Count } from "../../policy/workflows/diff/impact.ts";
import type { EndedByEdit } from "./waiting-runs.ts";

/** `at`: Unix ms of the edit. `ran`: contacts passed through it. */
export type KeptVersion = { number: number; revision: string; at: number; ran: boolean };

export const keptVersions = (sql: SqlStorage, workflow: number): KeptVersion[] =>
  sql
    .exec<{ number: number; revision: string; at: number; ran: number }>(
      "SELECT number, revision, at, ran FROM workflow_versions WHERE workflow = ? ORDER BY number",
      workflow,
    )
    .toArray()
    .map(({ ran, ...rest }) => ({ ...rest, ran: ran === 1 }));

export const contentOfVersion = (sql: SqlStorage, workflow: number, number: number) => {
  const { graph, list } = sql
    .exec<{ graph: string; list: string | null }>(
      "SELECT graph, list FROM workflow_versions WHERE workflow = ? AND number = ?",
      workflow,
      number,
    )
    .one();
  return { graph: JSON.parse(graph) as Graph, list };
};

/** Returns the runs ended by edits after version `from`, up to `to`. */
export const endedBetween = (sql: SqlStorage, workflow: number, from: number, to: number): Count[] =>
  sql
    .exec<{ node: EndedByEdit[0]; reason: EndedByEdit[1]; contacts: EndedByEdit[2] }>(
      `SELECT one.value->>0 AS node, one.value->>1 AS reason, sum(one.value->>2) AS contacts
       FROM workflow_versions, json_each(ended) AS one WHERE workflow = ? AND number > ? AND number <= ? GROUP BY 1, 2`,
      workflow,
      from,
      to,
    )
    .toArray()
    .map(({ node, reason, contacts }) => ({ node, code: `ended_${reason}`, contacts }));
