import { commonReason } from "../../policy/campaigns/reason.ts";
import { createPause } from "../core/between-slices.ts";
import { meaningOfRecipient, type RecipientState, STATES, type StoredState } from "./recipient-rows.ts";

/** Recipients per slice: about 20 ms from a small index. */
const SLICE = 50_000;
/** In ms. */
const KEPT_MS = 10_000;
const MOST = 50;

type Reason = { state: RecipientState; reason: string; meaning: string; recipients: number };

/** `at`: Unix ms, when the count began. */
export type Reasons = { reasons: Reason[]; at: number };

/** `seen`: Unix ms. */
type Kept = { seen: number; isRunning: boolean; counted: Promise<Reasons> };

/** Lost when the object restarts. */
const kept = new WeakMap<SqlStorage, Map<number, Kept>>();

/**
 * Counts why recipients got no mail. Requests share one count, kept for ten seconds.
 *
 * @param campaign n of its row
 * @param now Unix ms
 */
export const reasonsOf = (sql: SqlStorage, campaign: number, now: number): Promise<Reasons> => {
  const counts = kept.get(sql) ?? new Map<number, Kept>();
  kept.set(sql, counts);
  for (const [n, { seen, isRunning }] of counts) if (!isRunning && now >= seen + KEPT_MS) counts.delete(n);
  const known = counts.get(campaign);
  if (known) {
    if (known.isRunning) known.seen = now;
    return known.counted;
  }
  const one: Kept = { seen: now, isRunning: true, counted: count(sql, campaign, now) };
  counts.set(campaign, one);
  one.counted.then(
    () => {
      one.isRunning = false;
    },
    () => counts.delete(campaign),
  );
  return one.counted;
};

type Row = { state: StoredState; reason: string; recipients: number; last: number };

const count = async (sql: SqlStorage, campaign: number, at: number): Promise<Reasons> => {
  const found = new Map<string, Reason>();
  let after: readonly [state: string, reason: string, contact: number] | undefined = ["", "", 0];
  const pause = createPause();
  while (after !== undefined) {
    const rows: Row[] = sql
      .exec<Row>(
        `SELECT state, reason, count(*) AS recipients, max(contact) AS last
         FROM (SELECT state, reason, contact FROM recipients INDEXED BY recipients_reasons
           WHERE campaign = ? AND reason IS NOT NULL AND (state, reason, contact) > (?, ?, ?)
           ORDER BY state, reason, contact LIMIT ?)
         GROUP BY state, reason ORDER BY state, reason`,
        campaign,
        ...after,
        SLICE,
      )
      .toArray();
    for (const row of rows) add(found, row);
    const end = rows.at(-1);
    const isFull = rows.reduce((sum, { recipients }) => sum + recipients, 0) === SLICE;
    after = end && isFull ? [end.state, end.reason, end.last] : undefined;
    if (after) await pause();
  }
  return { reasons: [...found.values()].sort((a, b) => b.recipients - a.recipients), at };
};

const add = (found: Map<string, Reason>, { state: stored, reason: given, recipients }: Row): void => {
  const state = STATES[stored];
  const common = commonReason(given);
  const isNew = !found.has(`${state} ${common}`);
  const isFull = isNew && [...found.values()].filter((one) => one.state === state).length >= MOST;
  const reason = isFull ? OTHER : common;
  const before = found.get(`${state} ${reason}`)?.recipients ?? 0;
  const meaning = reason === OTHER ? "Other reasons." : meaningOfRecipient(state, reason);
  found.set(`${state} ${reason}`, { state, reason, meaning, recipients: before + recipients });
};

const OTHER = "other";
