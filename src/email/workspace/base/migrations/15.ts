import type { Migration } from "../../../../lib/util/migrate.ts";
import { countStatements } from "./15-counts.ts";
import { campaignStatements } from "./15-campaigns.ts";

export const version15: Migration = {
  version: 15,
  statements: [
    // received: 1 when an event of this name was received. A workflow may name an event before.
    "ALTER TABLE event_patterns ADD COLUMN received INTEGER NOT NULL DEFAULT 0",
    "UPDATE event_patterns SET received = 1 WHERE types <> '{}' OR n IN (SELECT pattern FROM events)",
    ...countStatements,
    ...campaignStatements,
  ],
};
