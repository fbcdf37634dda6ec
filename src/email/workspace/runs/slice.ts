import { step } from "../../workflows/run/step.ts";
import type { End, Flow, Step, Visit } from "../../workflows/run/types.ts";
import type { Context } from "../base/context.ts";
import { contactInRow } from "../contacts/row.ts";
import { acceptMarketing, type MarketingContent, marketingContent } from "../marketing/accept.ts";
import type { StoredWorkflow } from "../workflows/rows.ts";
import { readyFlow, runFactsOf } from "./flow.ts";

/** Most runs of one transaction: a request of the API waits while they are stepped. */
export const SLICE = 50;

/** A run that is due. Times are Unix ms. */
export type DueRun = {
  contact: number;
  workflow: number;
  seq: number;
  node: number;
  since: number;
  path: string;
  event: string | null;
};

/** What a slice shares among its runs. `step`: the step function. `domain`: of From and Message-ID. */
export type Slice = {
  workflow: StoredWorkflow;
  flow: Flow;
  step: typeof step;
  domain: string;
  contents: Map<string, MarketingContent | undefined>;
};

/** Runs of a workflow that are due, the earliest first. */
export const dueRuns = (sql: SqlStorage, workflow: number, now: number, limit = SLICE): DueRun[] =>
  sql
    .exec<DueRun>(
      `SELECT contact, workflow, seq, node, since, path, json(event) AS event FROM runs
       WHERE workflow = ? AND wake <= ? ORDER BY wake LIMIT ?`,
      ...[workflow, now, limit],
    )
    .toArray();

export const sliceOf = (sql: SqlStorage, workflow: StoredWorkflow, domain: string, by = step): Slice => ({
  ...{ workflow, flow: readyFlow(sql, workflow), step: by, domain, contents: new Map() },
});

/** Does one step of a run: its new position and its mails are one transaction. */
export const takeRun = (context: Context, slice: Slice, run: DueRun): void => {
  const { sql, now } = context;
  const contact = contactInRow(sql, run.contact);
  // A deleted contact takes its runs with it, in the same transaction.
  if (!contact) throw new Error(`The run has no contact ${run.contact}.`);
  const path = JSON.parse(run.path) as Visit[];
  const taken = slice.step(slice.flow, { ...run, path }, runFactsOf(sql, contact), now);
  for (const { message } of taken.mails) queueMail(context, slice, run, message);
  moveRun(sql, run, [...path, ...taken.visits], taken.position, now);
};

const queueMail = (context: Context, { workflow, domain, contents }: Slice, run: DueRun, message: string): void => {
  if (!contents.has(message)) contents.set(message, contentOf(context.sql, message));
  const content = contents.get(message);
  // A message that is gone sends nothing; the run goes on, because a mail never holds up a run.
  if (!content) return;
  acceptMarketing(context, {
    ...{ content, contact: run.contact, domain, origin: workflow.id, run: run.seq },
    ...(workflow.list === null ? {} : { list: workflow.list }),
    event: JSON.parse(run.event ?? "{}") as Record<string, unknown>,
  });
};

const contentOf = (sql: SqlStorage, message: string): MarketingContent | undefined => {
  const [row] = sql.exec<{ revision: number }>("SELECT revision FROM email_messages WHERE id = ?", message).toArray();
  return row && marketingContent(sql, row.revision);
};

type Position = Step["position"];

const moveRun = (sql: SqlStorage, run: DueRun, path: readonly Visit[], position: Position, now: number): void => {
  const key = [run.contact, run.workflow, run.seq];
  if ("ended" in position) {
    endRun(sql, key, position.node, JSON.stringify(path), position.ended, now);
    return;
  }
  sql.exec(
    "UPDATE runs SET node = ?, since = ?, wake = ?, path = ? WHERE contact = ? AND workflow = ? AND seq = ?",
    ...[position.node, position.since, position.wake, JSON.stringify(path), ...key],
  );
};

/** `since` of an ended run is the time of its end. The properties of its event are erased. */
const endRun = (sql: SqlStorage, key: number[], node: number, path: string, ended: End, now: number): void => {
  sql.exec(
    "UPDATE runs SET node = ?, since = ?, wake = NULL, path = ?, event = NULL, ended = ? WHERE contact = ? AND workflow = ? AND seq = ?",
    ...[node, now, path, ended, ...key],
  );
};

/** Puts off a run that failed; ends it when it is given up. */
export const putOff = (sql: SqlStorage, run: DueRun, now: number, until: number | undefined): void => {
  const key = [run.contact, run.workflow, run.seq];
  if (until === undefined) endRun(sql, key, run.node, run.path, "fault", now);
  else sql.exec("UPDATE runs SET wake = ? WHERE contact = ? AND workflow = ? AND seq = ?", until, ...key);
};
