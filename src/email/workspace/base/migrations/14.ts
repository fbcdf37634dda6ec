import type { Migration } from "../../../../lib/util/migrate.ts";

export const version14: Migration = {
  version: 14,
  statements: [],
};
