type Counts = Readonly<Record<string, unknown>>;

/** Erased counts by kind. `service`: the email service. `notReached`: data that stays. */
export type Erased = {
  finished: boolean;
  erased: Counts;
  service?: Counts | undefined;
  notReached: string[];
  message: string;
};

/** One answer. `next`: cursor, null at the end. */
export type Step = Erased & { next: string | null };

/** Maximum retries while a mail is in flight. */
const REPEATS = 500;
/** Milliseconds before each retry. */
const PAUSE_MS = 1_000;

/**
 * Repeats until finished: a long journal needs several requests, and mails may be in flight.
 *
 * @returns the sum of erased items
 */
export const untilErased = async (
  ask: (cursor: string | undefined) => Promise<Step>,
  dryRun: boolean,
): Promise<Erased> => {
  let cursor: string | undefined;
  let sum: Erased = { finished: false, erased: {}, notReached: [], message: "" };
  // Cursor requests always make progress and are not limited.
  for (let repeats = 0; repeats < REPEATS && !sum.finished; ) {
    const { next, ...answer } = await ask(cursor);
    sum = {
      ...answer,
      erased: added(sum.erased, answer.erased),
      service: answer.service || sum.service ? added(sum.service ?? {}, answer.service ?? {}) : undefined,
      notReached: answer.notReached.length > 0 ? answer.notReached : sum.notReached,
    };
    cursor = next ?? undefined;
    if (cursor !== undefined) continue;
    // A dry run erases nothing, so waiting is useless.
    if (dryRun) break;
    repeats++;
    if (!sum.finished && repeats < REPEATS) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return sum;
};

const added = (sum: Counts, more: Counts): Counts => {
  const all = { ...sum };
  for (const [kind, count] of Object.entries(more))
    if (typeof count === "number") all[kind] = (typeof all[kind] === "number" ? all[kind] : 0) + count;
  return all;
};

/** Formats "3 sends, 1 contact", without zeros. */
export const countsIn = (erased: Counts): string =>
  Object.entries(erased)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] > 0)
    .map(([kind, count]) => [kind.replaceAll(/([A-Z])/g, " $1").toLowerCase(), count] as const)
    .map(([kind, count]) => `${count} ${count === 1 ? kind.replace(/s$/, "") : kind}`)
    .join(", ") || "nothing";
