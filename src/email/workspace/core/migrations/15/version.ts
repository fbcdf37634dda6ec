import type { Migration } from "../../../../../lib/util/migrate.ts";
import { campaignStatements } from "./campaigns.ts";
import { countStatements } from "./counts.ts";
import { importStatements } from "./imports.ts";

export const version15: Migration = {
  version: 15,
  statements: [
    // received: 1 when an event of this name was received. A workflow may name an event before.
    "ALTER TABLE event_patterns ADD COLUMN received INTEGER NOT NULL DEFAULT 0",
    "UPDATE event_patterns SET received = 1 WHERE types <> '{}' OR n IN (SELECT pattern FROM events)",
    ...countStatements,
    ...campaignStatements,
    // Changes of up to 1 000 runs each that are not made yet, in this order. ended: why the runs end. node, wait: the timer where they
    // wait (k), and its length in ms. at: Unix ms of the request. runs: JSON of [contact, seq]. Kept until the change is made; a
    // contact that is deleted is taken out.
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
    // The pump asks for these often, and the rows have large graphs.
    "CREATE INDEX workflows_status ON workflows (status) WHERE deleted_at IS NULL",
    "CREATE INDEX workflows_deleted ON workflows (deleted_at) WHERE deleted_at IS NOT NULL",
    // Changes of the status of workflows, at Unix ms. Kept as long as the workflow: they say why a contact did not enter at a time.
    `CREATE TABLE workflow_status_changes (
        workflow INTEGER NOT NULL,
        at INTEGER NOT NULL,
        status TEXT NOT NULL,
        PRIMARY KEY (workflow, at)
      ) STRICT, WITHOUT ROWID`,
    // Workflows of version 14 are drafts, or were started before their changes were noted.
    `INSERT INTO workflow_status_changes SELECT n, coalesce(paused_at, created_at), status FROM workflows WHERE status <> 'Draft'`,
    // ended: the runs that the edit of this version ended, as JSON of [k of their node, why, how many]; NULL for none. Such a version is
    // kept as long as the workflow.
    "ALTER TABLE workflow_versions ADD COLUMN ended TEXT",
    ...importStatements,
    // Failures of the step of a run in a row: it is given up after some, also when the object restarts between them.
    "ALTER TABLE runs ADD COLUMN failures INTEGER NOT NULL DEFAULT 0",
  ],
};
