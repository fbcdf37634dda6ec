import { step } from "../../../policy/workflows/run/step.ts";
import type { End, Flow, Step, Visit } from "../../../policy/workflows/run/types.ts";
import { contactInRow, type StoredContact } from "../../contacts/contact-rows.ts";
import type { Context } from "../../core/context.ts";
import { acceptMarketing, type MarketingContent, marketingContent } from "../../sending/marketing/accept.ts";
import { type AcceptedMails, addMails } from "../../sending/marketing/counts.ts";
import { addCount } from "../counts.ts";
import { countStep, type Passed, savePassed } from "../node-passes.ts";
import type { StoredWorkflow } from "../workflow-rows.ts";
import { readyFlow, runFactsOf } from "./flow.ts";
import type { Turns } from "./turns.ts";

/** Runs of a slice. */
export const SLICE = 50;

export type DueRun = {
  contact: number;
  workflow: number;
  seq: number;
  node: number;
  since: number;
  path: string;
  event: string | null;
  failures: number;
};

/** Shared data of a slice. `domain`: of From and Message-ID. `ended`: runs by reason. `mails`: by message row. */
export type Slice = {
  workflow: StoredWorkflow;
  flow: Flow;
  step: typeof step;
  domain: string;
  turns: Turns;
  contents: Map<string, MarketingContent | undefined>;
  ended: Map<End, number>;
  mails: Map<number, AcceptedMails>;
  passed: Passed;
};

export const dueRuns = (sql: SqlStorage, workflow: number, now: number, limit = SLICE): DueRun[] =>
  sql
    .exec<DueRun>(
      `SELECT contact, workflow, seq, node, since, path, json(event) AS event, failures FROM runs
       WHERE workflow = ? AND wake <= ? ORDER BY wake LIMIT ?`,
      workflow,
      now,
      limit,
    )
    .toArray();

export const sliceOf = (sql: SqlStorage, workflow: StoredWorkflow, domain: string, turns: Turns, by = step): Slice => ({
  workflow,
  flow: readyFlow(sql, workflow),
  step: by,
  domain,
  turns,
  contents: new Map(),
  ended: new Map(),
  mails: new Map(),
  passed: new Map(),
});

type Taken = Omit<Step, "mails"> & { from: number; mails: { message: number; isSent: boolean }[] };

/** Counts a step after its transaction has succeeded. */
export const countTaken = (slice: Slice, { from, mails, ...step }: Taken): void => {
  const ended = "ended" in step.position ? step.position.ended : undefined;
  if (ended !== undefined) slice.ended.set(ended, (slice.ended.get(ended) ?? 0) + 1);
  countStep(slice.passed, from, step);
  for (const { message, isSent } of mails) {
    const { accepted, notSent } = slice.mails.get(message) ?? { accepted: 0, notSent: 0 };
    slice.mails.set(message, { accepted: accepted + 1, notSent: notSent + (isSent ? 0 : 1) });
  }
};

/** Writes one row per reason and message instead of one per run. */
export const saveCounts = (sql: SqlStorage, { workflow, ended, mails, passed }: Slice, now: number): void => {
  for (const [reason, count] of ended) addCount(sql, workflow.n, "ended", reason, count);
  for (const [message, counts] of mails) addMails(sql, message, counts);
  savePassed(sql, workflow.n, passed, now);
};

/** Does one step; the new position and its mails are one transaction. */
export const takeRun = (context: Context, slice: Slice, run: DueRun): Taken => {
  const { sql, now } = context;
  const contact = contactInRow(sql, run.contact);
  // A deleted contact's runs are deleted in the same transaction.
  if (!contact) throw new Error(`The run has no contact ${run.contact}.`);
  const path = JSON.parse(run.path) as Visit[];
  const taken = slice.step(slice.flow, { ...run, path }, runFactsOf(sql, contact), now);
  const mails = taken.mails.flatMap(({ message }) => queueMail(context, slice, { run, contact, message }));
  moveRun(sql, run, [...path, ...taken.visits], taken.position, now);
  return { from: run.node, visits: taken.visits, position: taken.position, mails };
};

const queueMail = (
  context: Context,
  { workflow, domain, turns, contents }: Slice,
  { run, contact, message }: { run: DueRun; contact: StoredContact; message: string },
): Taken["mails"] => {
  if (!contents.has(message)) contents.set(message, contentOf(context.sql, message));
  const content = contents.get(message);
  // A missing message sends nothing. The run continues, because a mail never blocks a run.
  if (!content) return [];
  const { state } = acceptMarketing(context, {
    content,
    contact,
    domain,
    origin: workflow.id,
    run: run.seq,
    ...(workflow.list === null ? {} : { list: workflow.list }),
    event: JSON.parse(run.event ?? "{}") as Record<string, unknown>,
    due: turns(workflow.n, context.now),
  });
  return state === "accepted_before" ? [] : [{ message: content.message, isSent: state === "queued" }];
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
    "UPDATE runs SET node = ?, since = ?, wake = ?, path = ?, failures = 0 WHERE contact = ? AND workflow = ? AND seq = ?",
    position.node,
    position.since,
    position.wake,
    JSON.stringify(path),
    ...key,
  );
};

const endRun = (sql: SqlStorage, key: number[], node: number, path: string, ended: End, now: number): void => {
  sql.exec(
    "UPDATE runs SET node = ?, since = ?, wake = NULL, path = ?, event = NULL, ended = ? WHERE contact = ? AND workflow = ? AND seq = ?",
    node,
    now,
    path,
    ended,
    ...key,
  );
};

/** Delays a failed run, or ends it when given up. */
export const putOff = (sql: SqlStorage, run: DueRun, now: number, until: number | undefined): void => {
  const key = [run.contact, run.workflow, run.seq];
  if (until === undefined) endRun(sql, key, run.node, run.path, "fault", now);
  else {
    sql.exec(
      "UPDATE runs SET wake = ?, failures = failures + 1 WHERE contact = ? AND workflow = ? AND seq = ?",
      until,
      ...key,
    );
  }
};
