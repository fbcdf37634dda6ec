import type { Migration } from "../../lib/util/migrate.ts";
import { migration1 } from "./migrations/1.ts";
import { migration2 } from "./migrations/2.ts";
import { migration3 } from "./migrations/3.ts";
import { migration4 } from "./migrations/4.ts";
import { migration5 } from "./migrations/5.ts";

/** Webhook and deliveries share a row. Rows written: acceptance 3, claim 1 per ten, settled delivery 1, purge 1. */
export const migrations: readonly Migration[] = [migration1, migration2, migration3, migration4, migration5];
