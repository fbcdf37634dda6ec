import { writableFields } from "../../../../lib/contract/contact-fields.ts";
import type { Trigger, TriggerType, WorkflowStatus } from "../../../../lib/workflow-graph/types.ts";
import { readerOf } from "../../../policy/segments/evaluate.ts";
import { type History, isTriggered, refusalOfEntry, type Write } from "../../../policy/workflows/run/entry.ts";
import { type ContactWrite, type Context, wake } from "../../core/context.ts";
import { teamFactsOf } from "../../segments/team-facts.ts";
import { addCount } from "../counts.ts";

type Properties = Readonly<Record<string, unknown>>;

type Row = {
  n: number;
  trigger_node: string;
  list: string | null;
  status: WorkflowStatus;
  paused_at: number | null;
};

/**
 * Starts runs and counts refused contacts in the transaction of the causing writes. Each possible trigger type costs
 * one index seek.
 */
export const startRuns = (context: Context): void => {
  for (const write of context.after.writes.splice(0)) startRunsOf(context, write);
};

const startRunsOf = (context: Context, write: ContactWrite): void => {
  const { sql, now } = context;
  const asked = asksOf(write);
  if (asked.length === 0) return;
  const workflows = asked.flatMap(([type, name]) => candidates(sql, type, name));
  if (workflows.length === 0) return;
  const team = teamFactsOf(sql);
  for (const row of workflows) {
    const { n, list, status, paused_at: pausedAt } = row;
    const workflow = { trigger: JSON.parse(row.trigger_node) as Trigger, list, status, pausedAt };
    if (!isTriggered(workflow, write, team)) continue;
    const refusal = refusalOfEntry(workflow, write.after, () => historyOf(sql, write.after.n, n), now);
    if (refusal !== undefined) {
      addCount(sql, n, "dropped", refusal);
      continue;
    }
    insertRun(sql, {
      contact: write.after.n,
      workflow: n,
      node: workflow.trigger.k,
      now,
      event: write.event,
    });
    context.after.entered = true;
    wake(context, now);
  }
};

const asksOf = ({ before, after, signsUp, eventName }: Write): [TriggerType, string][] => {
  if (eventName !== undefined) return [["EventTrigger", eventName]];
  const joined = Object.keys(after.data.mailingLists).filter((list) => !before?.data.mailingLists[list]);
  const confirms = before !== undefined && before.data.optInStatus !== after.data.optInStatus;
  const lists = confirms ? Object.keys(after.data.mailingLists) : joined;
  const names = new Set<string>([
    ...writableFields,
    ...Object.keys(before?.data.properties ?? {}),
    ...Object.keys(after.data.properties),
  ]);
  const changed = before ? [...names].filter((name) => readerOf(name)(before) !== readerOf(name)(after)) : [];
  return [
    ...(signsUp || confirms ? [["SignupTrigger", ""] as [TriggerType, string]] : []),
    ...lists.map((list): [TriggerType, string] => ["AddToListTrigger", list]),
    ...changed.map((name): [TriggerType, string] => ["ContactPropertyTrigger", name]),
  ];
};

/** All columns are in the index: the graph is neither read nor parsed. */
const candidates = (sql: SqlStorage, type: TriggerType, name: string): Row[] =>
  sql
    .exec<Row>(
      `SELECT n, trigger_node, list, status, paused_at FROM workflows INDEXED BY workflows_entry
       WHERE trigger_type = ? AND trigger_name = ? AND status <> 'Draft' AND deleted_at IS NULL`,
      type,
      name,
    )
    .toArray();

export const historyOf = (sql: SqlStorage, contact: number, workflow: number): History =>
  sql
    .exec<History>(
      "SELECT count(*) AS total, count(wake) AS active FROM runs WHERE contact = ? AND workflow = ?",
      contact,
      workflow,
    )
    .one();

type NewRun = { contact: number; workflow: number; node: number; now: number; event: Properties | undefined };

const insertRun = (sql: SqlStorage, { contact, workflow, node, now, event }: NewRun): void => {
  sql.exec(
    `INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path, event)
     SELECT ?1, ?2, coalesce(max(seq), 0) + 1, ?3, ?4, ?4, ?4, '[]', jsonb(?5) FROM runs WHERE contact = ?1 AND workflow = ?2`,
    contact,
    workflow,
    node,
    now,
    event === undefined ? null : JSON.stringify(event),
  );
};
