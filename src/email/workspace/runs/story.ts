import type { Graph } from "../../workflows/graph/types.ts";
import {
  type Explanation,
  explain,
  explainEntry,
  type NotEntered,
  type StoredRun,
} from "../../workflows/run/explain.ts";
import type { End, Visit } from "../../workflows/run/types.ts";
import type { Context } from "../base/context.ts";
import type { StoredContact } from "../contacts/row.ts";
import { meaningOf, readSend } from "../ledger/shown.ts";
import { subjectsOf } from "../workflows/messages.ts";
import type { StoredWorkflow } from "../workflows/rows.ts";
import { historyOf } from "./trigger.ts";

/** Most runs of a contact that are explained, the newest first. */
const MOST = 20;

type Row = {
  seq: number;
  node: number;
  since: number;
  wake: number | null;
  entered_at: number;
  path: string;
  ended: End | null;
};

/**
 * What happened to a contact in a workflow, the newest run first. `entry`: why it has not entered, or would not enter now.
 */
export const storyOf = (
  { sql, now }: Context,
  workflow: StoredWorkflow,
  contact: StoredContact,
): { runs: Explanation[]; entry: NotEntered } => {
  const versions = sql
    .exec<{ at: number; graph: string }>(
      "SELECT at, graph FROM workflow_versions WHERE workflow = ? ORDER BY number",
      workflow.n,
    )
    .toArray()
    .map(({ at, graph }) => ({ at, graph: JSON.parse(graph) as Graph }));
  const subjects = subjectsOf(sql, workflow.n);
  const runs = sql
    .exec<Row>(
      `SELECT seq, node, since, wake, entered_at, path, ended FROM runs
       WHERE contact = ? AND workflow = ? ORDER BY seq DESC LIMIT ?`,
      ...[contact.n, workflow.n, MOST],
    )
    .toArray()
    .map((row) => {
      const { seq, entered_at: enteredAt, path, ...rest } = row;
      const run: StoredRun = { ...rest, enteredAt, path: JSON.parse(path) as Visit[] };
      const mails = mailsOf(sql, workflow.n, contact.n, seq);
      return explain({ run, versions, mails, subjectOf: (message) => subjects.get(message), now });
    });
  // `status` is that of now: a pause that has ended shows as "Paused".
  const entrance = { ...workflow, pausedAt: now };
  return { runs, entry: explainEntry(entrance, contact, historyOf(sql, contact.n, workflow.n), now) };
};

/** The mails of one run, in words. Those older than 30 days have no rows. */
const mailsOf = (sql: SqlStorage, workflow: number, contact: number, seq: number) =>
  sql
    .exec<{ message: string; send: number }>(
      `SELECT m.id AS message, s.n AS send FROM engagement e
       JOIN email_messages m ON m.n = e.message JOIN sends s ON s.n = e.send
       WHERE e.contact = ? AND e.run = ? AND m.workflow = ?`,
      ...[contact, seq, workflow],
    )
    .toArray()
    .map(({ message, send }) => ({ message, meaning: meaningOf(readSend(sql, send)) }));
