import type { Migration } from "../../lib/util/migrate.ts";
import { migration1 } from "./migrations/1.ts";
import { migration2 } from "./migrations/2.ts";
import { migration3 } from "./migrations/3.ts";
import { migration4 } from "./migrations/4.ts";
import { migration5 } from "./migrations/5.ts";

/**
 * Tables of the Outbox. Written rows cost money, so a webhook, its calls and their attempts share one row: accepting
 * writes 3 (row, unique index, open index), a claim 1 for up to ten calls, each settled call 1, the purge 1.
 */
export const migrations: readonly Migration[] = [migration1, migration2, migration3, migration4, migration5];
