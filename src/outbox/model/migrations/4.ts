import type { Migration } from "../../../lib/util/migrate.ts";

/** Subscriptions as JSON by id. Running ones stay; others go with the watermarks. */
export const migration4: Migration = {
  version: 4,
  statements: ["ALTER TABLE contacts ADD COLUMN subscriptions TEXT"],
};
