import type { Kinds } from "../../lib/alerts/open-alerts.ts";
import { DAY_MS, HOUR_MS } from "../../lib/util/dates.ts";

/** A silent source or a full journal often stays so for days. */
export const kinds = {
  "delivery.failed": { every: HOUR_MS, names: true },
  "dispatch.blocked": { every: HOUR_MS, lasts: true },
  "dispatch.outage": { every: HOUR_MS, lasts: true },
  "dispatch.late": { every: HOUR_MS, lasts: true },
  "signatures.failing": { every: HOUR_MS },
  "admin.refused": { every: HOUR_MS },
  "answers.foreign": { every: HOUR_MS, names: true },
  "source.refusing": { every: DAY_MS, lasts: true },
  "source.full": { every: HOUR_MS, lasts: true },
  "source.silent": { every: DAY_MS, lasts: true },
  "journal.deleted": { every: DAY_MS },
  "journal.full": { every: DAY_MS, lasts: true },
} as const satisfies Kinds;

export type AlertKind = keyof typeof kinds;
