// Takes the place of src/email/delivery/mailer/started.ts: a Mailer without durable notes.

import type { StartedClaims } from "../../src/email/delivery/mailer/started.ts";
import type { Schema } from "../../src/lib/util/migrate.ts";

export const schema: Schema = { object: "Mailer", migrations: [] };

export const startedClaimsIn = (): StartedClaims => {
  let block = 0;
  return { add: async () => ++block, remove: () => {}, among: () => [], purge: () => {} };
};
