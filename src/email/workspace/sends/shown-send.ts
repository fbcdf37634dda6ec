import { type Parts, textOf } from "../../../lib/lmx/draw/parts.ts";
import { isoOf, isoOrNull } from "../../../lib/util/dates.ts";
import { isHeld } from "../sending/waiting-mails.ts";
import { readSend, type SendRow } from "./send-rows.ts";
import { meaningOf } from "./send-state-words.ts";

/** Returns what a send is, without mail values. */
export const shown = (row: SendRow, problem?: string) => ({
  id: row.id,
  class: row.class,
  to: row.recipient,
  state: row.state,
  meaning: meaningOf(row, problem),
  preview: row.preview === 1,
  template: named(row.template_id, row.template_name),
  campaign: named(row.origin, row.campaign_name),
  workflow: named(row.origin, row.workflow_name),
  attempts: row.attempts,
  acceptedAt: isoOf(row.created_at),
  nextAttemptAt: nextAttemptOf(row),
  settledAt: isoOrNull(row.settled_at),
});

/** Returns sends for a list, in the given order: what they are, their subject as written, the first open and click by a person. */
export const listed = (sql: SqlStorage, sends: readonly number[]) => {
  const rows = sends.map((n) => readSend(sql, n));
  const more = moreOf(sql, rows);
  return rows.map((row) => ({ ...shown(row), ...more(row) }));
};

/** Returns the subjects of these contents as they were written: `Receipt for {data.plan}`. */
export const subjectsOf = (sql: SqlStorage, revisions: readonly number[]): Map<number, string> =>
  new Map(
    sql
      .exec<{ n: number; subject: string }>(
        "SELECT n, compiled->>'$.subject' AS subject FROM message_revisions WHERE n IN (SELECT value FROM json_each(?))",
        JSON.stringify(revisions),
      )
      .toArray()
      .map(({ n, subject }) => [n, textOf(JSON.parse(subject) as Parts)]),
  );

type Seen = { send: number; opened: number | null; clicked: number | null };

/** SQL of the first time of hits by a person or a privacy proxy for one. */
const firstOf = (hits: string): string =>
  `min(iif(${hits} AND human > 0, human_at, iif(${hits} AND proxy > 0, proxy_at, NULL)))`;
const FIRST = { opened: firstOf("link = 0"), clicked: firstOf("link > 0") };

/** Returns the subject as written, and the first open and click by a person, of each of these sends. */
export const moreOf = (sql: SqlStorage, rows: readonly Pick<SendRow, "n" | "revision">[]) => {
  const subjects = subjectsOf(
    sql,
    rows.map(({ revision }) => revision),
  );
  const seen = new Map(
    sql
      .exec<Seen>(
        `SELECT send, ${FIRST.opened} AS opened, ${FIRST.clicked} AS clicked FROM send_hits
         WHERE send IN (SELECT value FROM json_each(?)) GROUP BY send`,
        JSON.stringify(rows.map(({ n }) => n)),
      )
      .toArray()
      .map((row) => [row.send, row]),
  );
  return ({ n, revision }: Pick<SendRow, "n" | "revision">) => ({
    subject: subjects.get(revision) ?? null,
    openedAt: isoOrNull(seen.get(n)?.opened ?? null),
    clickedAt: isoOrNull(seen.get(n)?.clicked ?? null),
  });
};

const named = (id: string | null, name: string | null) => (id === null || name === null ? null : { id, name });

/** The first attempt follows at once. Only a later attempt, or a wait for a limit, has a time. */
const nextAttemptOf = ({ state, attempts, due, error, held }: SendRow): string | null =>
  state === "queued" && (attempts > 0 || error !== null) && due !== null && !held && !isHeld(due) ? isoOf(due) : null;
