import type { Migration } from "../../../../lib/util/migrate.ts";

/** Counts of where contacts went in workflows. */
export const version17: Migration = {
  version: 17,
  statements: [
    // hour: since 1970; 0 for all hours that are older than a day. counts: JSON of how many contacts left each node, by "k of the node, k of
    // the next one" or "k of the node, reason of the end". since: in the row of hour 0, when contacts were last moved without being
    // counted, in Unix ms; NULL where all were counted. Kept as long as the workflow. It names no contact.
    `CREATE TABLE workflow_passed (
        workflow INTEGER NOT NULL,
        hour INTEGER NOT NULL,
        counts TEXT NOT NULL,
        since INTEGER,
        PRIMARY KEY (workflow, hour)
      ) STRICT, WITHOUT ROWID`,
    // Contacts may have moved until now, also those whose runs are deleted. The runs are not read: a team may have millions.
    "INSERT INTO workflow_passed SELECT n, 0, '{}', unixepoch() * 1000 FROM workflows WHERE status <> 'Draft'",
  ],
};
