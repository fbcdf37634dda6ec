import type { Migration } from "../../../../lib/util/migrate.ts";

export const version17: Migration = {
  version: 17,
  statements: [
    // hour: since 1970; 0 for all older than a day. counts: JSON by "k of the node, k of the next one" or "k of the
    // node, reason". since (hour 0): last uncounted move, in Unix ms; NULL if all were counted. Names no contact.
    `CREATE TABLE workflow_passed (
        workflow INTEGER NOT NULL,
        hour INTEGER NOT NULL,
        counts TEXT NOT NULL,
        since INTEGER,
        PRIMARY KEY (workflow, hour)
      ) STRICT, WITHOUT ROWID`,
    // Past moves are uncounted. The runs are not read: a team may have millions.
    "INSERT INTO workflow_passed SELECT n, 0, '{}', unixepoch() * 1000 FROM workflows WHERE status <> 'Draft'",
  ],
};
