import type { Migration } from "../../../lib/util/migrate.ts";

/** Adds link strength: 2 account, 1 purchase, 0 document. */
export const migration3: Migration = {
  version: 3,
  statements: ["ALTER TABLE contacts ADD COLUMN strength INTEGER NOT NULL DEFAULT 2"],
};
