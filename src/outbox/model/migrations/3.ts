import type { Migration } from "../../../lib/util/migrate.ts";

/** Links get a strength: 2 account, 1 purchase, 0 document. Links of older versions keep their place as the strongest. */
export const migration3: Migration = {
  version: 3,
  statements: ["ALTER TABLE contacts ADD COLUMN strength INTEGER NOT NULL DEFAULT 2"],
};
