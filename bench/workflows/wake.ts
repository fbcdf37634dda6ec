import type { Team } from "./team.ts";

/** Runs that are due together: ten slices. */
export const DUE = 500;
const DAY = 86_400_000;

/** Contacts that are read, so that the pages of the runs are not in the cache of the database: a run rests for days. */
const READ = 50_000;
/** Of a run beside those that the contact has already. */
const SEQ = 1_000;

const CONTACTS = `WITH RECURSIVE s (n, i) AS (SELECT CAST(?1 AS INTEGER), 1 UNION ALL SELECT n + ?2, i + 1 FROM s WHERE i < ${DUE})`;
const WAKE = `${CONTACTS}
  INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path, event)
  SELECT s.n, ?3, ${SEQ}, (SELECT graph->'$.nodes'->(SELECT key FROM json_each(graph->'$.nodes')
    WHERE value->>'typeName' = ?4)->>'k' FROM workflows WHERE n = ?3), 0, CAST(?5 AS INTEGER), 0, '[]', NULL
  FROM s JOIN contacts c ON c.n = s.n`;

/**
 * `n`: of the workflow. `at`: type of the node. `first`: row of the first contact. `step`: from the row of one contact to that of the
 * next. `last`: row of the last of all contacts.
 */
export type Due = { n: number; at: string; first: number; step: number; last: number };

/** What the last call has left, by team. */
const left = new WeakMap<Team, Due>();

/** Makes runs due at a node, and removes those of the last call with their mails. */
export const makeDue = async (team: Team, due: Due): Promise<void> => {
  const before = left.get(team);
  if (before) {
    const { first, step, last } = before;
    const own = `contact IN (${CONTACTS} SELECT n FROM s)`;
    await team.sql(`DELETE FROM runs WHERE ${own} AND seq = ${SEQ}`, first, step);
    await team.sql(
      `DELETE FROM engagement WHERE ${own} AND message IN (SELECT n FROM email_messages) AND run = ${SEQ}`,
      first,
      step,
    );
    // History has the numbers of its contacts.
    await team.sql("DELETE FROM sends WHERE n > ?", last);
  }
  left.set(team, due);
  await team.sql("DELETE FROM run_purge");
  await team.sql("INSERT INTO run_purge VALUES (0, 0, 0, ?)", Date.now() + DAY);
  await team.sql(WAKE, due.first, due.step, due.n, due.at, Date.now() - 1);
  await team.sql("SELECT sum(length(data)) AS size FROM contacts WHERE n > ? - ?", due.last, READ);
};
