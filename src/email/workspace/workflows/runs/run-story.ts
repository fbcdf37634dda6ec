import type { Graph, WorkflowStatus } from "../../../../lib/workflow-graph/types.ts";
import { triggerOf } from "../../../policy/workflows/run/entry.ts";
import { type Explanation, explain, type Line, type StoredRun } from "../../../policy/workflows/run/explain.ts";
import { explainEntry, explainPast, type NotEntered } from "../../../policy/workflows/run/explain-entry.ts";
import { type Version, wordsOfTime } from "../../../policy/workflows/run/run-words.ts";
import type { End, Visit } from "../../../policy/workflows/run/types.ts";
import type { StoredContact } from "../../contacts/contact-rows.ts";
import type { Context } from "../../core/context.ts";
import { rowsOpenAt } from "../../core/day-rows-words.ts";
import { isFull } from "../../core/size.ts";
import { sendingDomainOf } from "../../domains/sending-domain.ts";
import { readSend } from "../../sends/send-rows.ts";
import { meaningOf } from "../../sends/send-state-words.ts";
import { createNames } from "../node-names.ts";
import type { StoredWorkflow } from "../workflow-rows.ts";
import { pastOf } from "./past-entries.ts";
import { historyOf } from "./trigger.ts";

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

type Passage = Explanation & { run: number; enteredAt: number };

/** Returns a contact's runs, newest first. `entry`: why it did not enter, from the last 30 days. */
export const runStoryOf = (
  context: Context,
  workflow: StoredWorkflow,
  contact: StoredContact,
): { runs: Passage[]; entry: NotEntered & { lines: Line[] } } => {
  const { sql, now } = context;
  const versions = versionsOf(sql, workflow.n);
  const nameOf = createNames(sql, workflow.n);
  const obstacle = obstacleOf(context, workflow);
  const runs = sql
    .exec<Row>(
      `SELECT seq, node, since, wake, entered_at, path, ended FROM runs
       WHERE contact = ? AND workflow = ? ORDER BY seq DESC LIMIT ?`,
      contact.n,
      workflow.n,
      MOST,
    )
    .toArray()
    .map(({ seq, entered_at: enteredAt, path, ...rest }) => {
      const run: StoredRun = { ...rest, enteredAt, path: JSON.parse(path) as Visit[] };
      const mails = mailsOf(sql, workflow.n, contact.n, seq);
      return { run: seq, enteredAt, ...explain({ run, versions, mails, nameOf, obstacle, now }) };
    });
  const entrance = { ...workflow, trigger: triggerOf(workflow.graph), status: storedStatus(sql, workflow.n) };
  const entry = explainEntry(entrance, contact, historyOf(sql, contact.n, workflow.n), now);
  return { runs, entry: { ...entry, lines: explainPast(pastOf(context, workflow, contact, versions)) } };
};

/** The stored status differs from a stop even 24 hours after a pause. */
const storedStatus = (sql: SqlStorage, workflow: number): WorkflowStatus =>
  sql.exec<{ status: WorkflowStatus }>("SELECT status FROM workflows WHERE n = ?", workflow).one().status;

const versionsOf = (sql: SqlStorage, workflow: number): (Version & { revision: string; ran: boolean })[] =>
  sql
    .exec<{ at: number; graph: string; list: string | null; revision: string; ran: number }>(
      "SELECT at, graph, list, revision, ran FROM workflow_versions WHERE workflow = ? ORDER BY number",
      workflow,
    )
    .toArray()
    .map(({ graph, ran, ...rest }) => ({ ...rest, graph: JSON.parse(graph) as Graph, ran: ran === 1 }));

/** Returns why the workflow takes no steps, or undefined. */
export const obstacleOf = (context: Context, { status }: StoredWorkflow): string | undefined => {
  if (status !== "Sending") return "the workflow is paused";
  if (isFull(context)) return "the database of the team is full";
  const opensAt = rowsOpenAt(context, "workflows");
  if (opensAt > 0) return `the database rows that workflows may write today are used up until ${wordsOfTime(opensAt)}`;
  return "refusal" in sendingDomainOf(context, "marketing")
    ? "the team has no verified domain to send mail from"
    : undefined;
};

/** Mails older than 30 days have no rows. */
const mailsOf = (sql: SqlStorage, workflow: number, contact: number, seq: number) =>
  sql
    .exec<{ message: string; send: number }>(
      `SELECT m.id AS message, s.n AS send FROM engagement e
       JOIN email_messages m ON m.n = e.message JOIN sends s ON s.n = e.send
       WHERE e.contact = ? AND e.run = ? AND m.workflow = ?`,
      contact,
      seq,
      workflow,
    )
    .toArray()
    .map(({ message, send }) => ({ message, meaning: meaningOf(readSend(sql, send)) }));
