import type { Migration } from "../../../../../lib/util/migrate.ts";
import { campaignStatements } from "./campaigns.ts";
import { countStatements } from "./counts.ts";
import { importStatements } from "./imports.ts";

export const version15: Migration = {
  version: 15,
  statements: [
    // 1: an event was received. A workflow may name it earlier.
    "ALTER TABLE event_patterns ADD COLUMN received INTEGER NOT NULL DEFAULT 0",
    "UPDATE event_patterns SET received = 1 WHERE types <> '{}' OR n IN (SELECT pattern FROM events)",
    ...countStatements,
    ...campaignStatements,
    // Pending ordered changes of up to 1 000 runs each. ended: end reason. node, wait: timer (k) and its length in
    // ms. at: Unix ms. runs: JSON of [contact, seq], without deleted contacts.
    `CREATE TABLE sweeps (
        n INTEGER PRIMARY KEY,
        workflow INTEGER NOT NULL,
        ended TEXT,
        node INTEGER,
        wait INTEGER,
        at INTEGER NOT NULL,
        runs TEXT NOT NULL
      ) STRICT`,
    "CREATE INDEX sweeps_workflow ON sweeps (workflow)",
    // Frequent queries of the pump avoid rows with large graphs.
    "CREATE INDEX workflows_status ON workflows (status) WHERE deleted_at IS NULL",
    "CREATE INDEX workflows_deleted ON workflows (deleted_at) WHERE deleted_at IS NOT NULL",
    // Status changes, at Unix ms. They explain why a contact did not enter.
    `CREATE TABLE workflow_status_changes (
        workflow INTEGER NOT NULL,
        at INTEGER NOT NULL,
        status TEXT NOT NULL,
        PRIMARY KEY (workflow, at)
      ) STRICT, WITHOUT ROWID`,
    `INSERT INTO workflow_status_changes SELECT n, coalesce(paused_at, created_at), status FROM workflows WHERE status <> 'Draft'`,
    // ended: runs ended by this edit, as JSON of [node k, reason, count]. Such a version is kept with the workflow.
    "ALTER TABLE workflow_versions ADD COLUMN ended TEXT",
    ...importStatements,
    // Consecutive step failures, stored so that the limit survives object restarts.
    "ALTER TABLE runs ADD COLUMN failures INTEGER NOT NULL DEFAULT 0",
  ],
};
