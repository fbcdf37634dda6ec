import type { Migration } from "../../../lib/util/migrate.ts";

export const migration2: Migration = {
  version: 2,
  statements: [
    `UPDATE delivery SET name = 'interruption',
       value = replace(replace(value, '"reason":"limited"', '"reason":"backoff"'), '"reason":"held"', '"reason":"blocked"')
     WHERE name = 'pause'`,
    "UPDATE delivery SET name = 'pauses' WHERE name = 'stops'",
    "UPDATE delivery SET name = 'downtime' WHERE name = 'holds'",
    // Only open alerts change: every attempt of a pending notice sends the same body.
    `UPDATE delivery
     SET value = json_set(value, '$.entries', json(replace(value -> '$.entries', 'delivery.held', 'delivery.blocked')))
     WHERE name = 'alerts'`,
  ],
};
