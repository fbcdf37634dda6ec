import type { Migration } from "../../../lib/util/migrate.ts";

/**
 * `attention`: number of failed or undecided deliveries that were not discarded.
 *
 * `activity`: counts per source. Retention: RETENTION_DAYS. `bucket`: Unix time in units of five minutes;
 * `received_at`: newest acceptance without backfills; `times`: delivery times by class.
 */
export const migration5: Migration = {
  version: 5,
  statements: [
    "ALTER TABLE webhooks ADD COLUMN attention INTEGER NOT NULL DEFAULT 0",
    // Deliveries of damaged rows are not valid JSON.
    `UPDATE webhooks SET attention = (
       SELECT count(*) FROM json_each(webhooks.calls) AS call
       WHERE call.value ->> '$.state' = 'parked' OR (
         call.value ->> '$.state' = 'dead'
         AND coalesce(call.value ->> '$.acts[#-1].act', '') NOT IN ('discard', 'forget')))
     WHERE (instr(calls, '"state":"dead"') OR instr(calls, '"state":"parked"')) AND json_valid(calls)`,
    "CREATE INDEX webhooks_attention ON webhooks (seq, attention) WHERE attention > 0",
    `CREATE TABLE activity (
       bucket INTEGER NOT NULL,
       source TEXT NOT NULL,
       accepted INTEGER NOT NULL,
       duplicate INTEGER NOT NULL,
       done INTEGER NOT NULL,
       dead INTEGER NOT NULL,
       parked INTEGER NOT NULL,
       skipped INTEGER NOT NULL,
       superseded INTEGER NOT NULL,
       received_at INTEGER,
       times TEXT NOT NULL,
       PRIMARY KEY (bucket, source)
     ) STRICT, WITHOUT ROWID`,
  ],
};
