import { count } from "../lib/cli.ts";

/** `accepted`, `duplicate` and `nothing` add up to `objects`. */
export type Counts = {
  objects: number;
  accepted: number;
  duplicate: number;
  nothing: number;
  skipped: number;
  contact: number;
  event: number;
  failed: number;
};

export type Answer = Omit<Counts, "contact" | "event"> & {
  deliveries: { contact: number; event: number };
  failures: { event: string; rule: string; message?: string }[];
};

export const noCounts = (): Counts => ({
  objects: 0,
  accepted: 0,
  duplicate: 0,
  nothing: 0,
  skipped: 0,
  contact: 0,
  event: 0,
  failed: 0,
});

export const addCounts = (counts: Counts, { deliveries, ...answer }: Answer): Counts => {
  const sum = { ...counts, contact: counts.contact + deliveries.contact, event: counts.event + deliveries.event };
  for (const name of ["objects", "accepted", "duplicate", "nothing", "skipped", "failed"] as const)
    sum[name] += answer[name];
  return sum;
};

export const countsLine = (counts: Counts): string =>
  [
    `${counts.objects} read`,
    `${counts.accepted} new`,
    `${counts.duplicate} already known`,
    `${counts.nothing} without a delivery`,
    count(counts.contact, "contact update"),
    ...(counts.event > 0 ? [count(counts.event, "event")] : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} skipped (test data or plan only)`] : []),
    ...(counts.failed > 0 ? [count(counts.failed, "failed rule")] : []),
  ].join(", ");
