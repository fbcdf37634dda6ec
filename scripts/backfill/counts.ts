/** What came of objects; the first four add up to `objects`. */
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

/** What the bridge answers for a batch. */
export type Told = Omit<Counts, "contact" | "event"> & {
  calls: { contact: number; event: number };
  failures: { event: string; rule: string; message?: string }[];
};

export const noCounts = (): Counts => ({
  ...{ objects: 0, accepted: 0, duplicate: 0, nothing: 0, skipped: 0 },
  ...{ contact: 0, event: 0, failed: 0 },
});

export const addCounts = (counts: Counts, { calls, ...told }: Told): Counts => {
  const sum = { ...counts, contact: counts.contact + calls.contact, event: counts.event + calls.event };
  for (const name of ["objects", "accepted", "duplicate", "nothing", "skipped", "failed"] as const)
    sum[name] += told[name];
  return sum;
};

/** One line: what was read and what came of it. */
export const countsLine = (counts: Counts): string =>
  [
    `${counts.objects} read`,
    `${counts.accepted} new`,
    `${counts.duplicate} known`,
    `${counts.nothing} without effect`,
    `${counts.contact} updates`,
    ...(counts.event > 0 ? [`${counts.event} events`] : []),
    ...(counts.skipped > 0 ? [`${counts.skipped} test data or shadow`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} rules failed`] : []),
  ].join(", ");
