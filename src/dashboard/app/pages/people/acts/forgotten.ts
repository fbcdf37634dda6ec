type Counts = Readonly<Record<string, unknown>>;

/** What a forget erased, or would erase, by kind. `host`: at the email service. `notReached`: what it leaves. */
export type Forgotten = {
  finished: boolean;
  erased: Counts;
  host?: Counts | undefined;
  notReached: string[];
  message: string;
};

/** One answer of a forget. `next`: where it goes on; null where nothing is left to search. */
export type Step = Forgotten & { next: string | null };

/** How often a forget is repeated whose mail is in flight. */
const REPEATS = 500;
/** Ms before each of these. */
const PAUSE_MS = 1_000;

/**
 * Repeats a forget until it is finished: a long journal takes several requests, and a mail in flight takes time.
 *
 * @returns the sum of what was erased
 */
export const untilForgotten = async (
  ask: (cursor: string | undefined) => Promise<Step>,
  dryRun: boolean,
): Promise<Forgotten> => {
  let cursor: string | undefined;
  let sum: Forgotten = { finished: false, erased: {}, notReached: [], message: "" };
  // However long the journal is, each request with a cursor gets nearer to its end.
  for (let repeats = 0; repeats < REPEATS && !sum.finished; ) {
    const { next, ...answer } = await ask(cursor);
    sum = {
      ...answer,
      erased: added(sum.erased, answer.erased),
      host: answer.host || sum.host ? added(sum.host ?? {}, answer.host ?? {}) : undefined,
      notReached: answer.notReached.length > 0 ? answer.notReached : sum.notReached,
    };
    cursor = next ?? undefined;
    if (cursor !== undefined) continue;
    // A dry run erases nothing, so what is in flight stays there.
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

/** Counts by kind as words: "3 sends, 1 contact". Kinds without any are left out. */
export const countsIn = (erased: Counts): string =>
  Object.entries(erased)
    .filter((entry): entry is [string, number] => typeof entry[1] === "number" && entry[1] > 0)
    .map(([kind, count]) => [kind.replaceAll(/([A-Z])/g, " $1").toLowerCase(), count] as const)
    .map(([kind, count]) => `${count} ${count === 1 ? kind.replace(/s$/, "") : kind}`)
    .join(", ") || "nothing";
