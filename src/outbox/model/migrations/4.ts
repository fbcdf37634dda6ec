import type { Migration } from "../../../lib/util/migrate.ts";

/**
 * Subscriptions of a person, as JSON by id: when it started, and for each value the watermark of its webhook. Retention:
 * those that have not ended stay, as links do; the others go with the watermarks.
 */
export const migration4: Migration = {
  version: 4,
  statements: ["ALTER TABLE contacts ADD COLUMN subscriptions TEXT"],
};
