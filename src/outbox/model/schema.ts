import type { Migration } from "../../lib/util/migrate.ts";
import { migration1 } from "./migrations/1.ts";
import { migration2 } from "./migrations/2.ts";

/**
 * Tables of the Outbox. Rows are the bill, so a webhook, its calls and all their attempts live in one row: accepting
 * writes 3 (row, unique index, open index), a claim 1 for up to ten starts together, each settle 1, the purge 1.
 */
export const migrations: readonly Migration[] = [migration1, migration2];
