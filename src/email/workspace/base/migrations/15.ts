import type { Migration } from "../../../../lib/util/migrate.ts";

export const version15: Migration = {
  version: 15,
  statements: [],
};
