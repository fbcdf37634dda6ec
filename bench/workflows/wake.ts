import type { Team } from "./team.ts";

/** Ten slices. */
export const DUE = 500;
const DAY = 86_400_000;

/** Reading these contacts evicts the runs from the database cache. */
const READ = 50_000;
const SEQ = 1_000;

const CONTACTS = `WITH RECURSIVE s (n, i) AS (SELECT CAST(?1 AS INTEGER), 1 UNION ALL SELECT n + ?2, i + 1 FROM s WHERE i < ${DUE})`;
const WAKE = `${CONTACTS}
  INSERT INTO runs (contact, workflow, seq, node, since, wake, entered_at, path, event)
  SELECT s.n, ?3, ${SEQ}, (SELECT graph->'$.nodes'->(SELECT key FROM json_each(graph->'$.nodes')
    WHERE value->>'typeName' = ?4)->>'k' FROM workflows WHERE n = ?3), 0, CAST(?5 AS INTEGER), 0, '[]', NULL
  FROM s JOIN contacts c ON c.n = s.n`;

/** `n`: workflow. `at`: node type. `first`, `last`: contact rows. `step`: rows between contacts. */
export type Due = { n: number; at: string; first: number; step: number; last: number };

const left = new WeakMap<Team, Due>();

/** Removes runs and mails of the previous call. */
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
    await team.sql("DELETE FROM sends WHERE n > ?", last);
  }
  left.set(team, due);
  await team.sql("DELETE FROM run_purge");
  await team.sql("INSERT INTO run_purge VALUES (0, 0, 0, ?)", Date.now() + DAY);
  await team.sql(WAKE, due.first, due.step, due.n, due.at, Date.now() - 1);
  await team.sql("SELECT sum(length(data)) AS size FROM contacts WHERE n > ? - ?", due.last, READ);
};
