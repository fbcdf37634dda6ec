// Takes the place of src/email/delivery/mailer/started.ts: a Mailer without durable notes.

import type { StartedClaims } from "../../src/email/delivery/mailer/started.ts";
import type { Migration } from "../../src/lib/util/migrate.ts";

export const migrations: readonly Migration[] = [];

export const startedClaimsIn = (): StartedClaims => {
  let block = 0;
  return { add: async () => ++block, remove: () => {}, among: () => [], purge: () => {} };
};
