import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../lib/util/dates.ts";

/** In ms. */
const PENDING_MS = 7 * DAY_MS;
/** Grace period after a lost record, in ms. */
const GRACE_MS = DAY_MS;
/** First pause before a check, in ms. */
export const FIRST_CHECK_MS = 5 * MINUTE_MS;

/**
 * `pending`: never verified. `warning`: mail still sent. `failing`: longer than a day, no mail.
 * `since`, `failingSince`: Unix ms.
 */
export type Standing = {
  state: "pending" | "verified" | "warning" | "failing";
  since: number;
  failingSince: number | null;
};

export type Verdict = "right" | "wrong" | "unknown";

export const isUsable = ({ state }: Pick<Standing, "state">): boolean => state === "verified" || state === "warning";

/** State after a check. An unanswered check changes nothing: the resolver may be down. */
export const standingAfter = (before: Standing, verdict: Verdict, now: number): Standing => {
  const become = (state: Standing["state"], failingSince: number | null): Standing => ({
    state,
    failingSince,
    since: state === before.state ? before.since : now,
  });
  if (verdict === "right") return become("verified", null);
  if (verdict === "unknown" || before.state === "pending") return before;
  const failingSince = before.failingSince ?? now;
  return become(now - failingSince >= GRACE_MS ? "failing" : "warning", failingSince);
};

const between = (low: number, value: number, high: number): number => Math.min(high, Math.max(low, Math.round(value)));

/** Returns Unix ms; null when ended. `keyAddedAt`: of a key not found yet. */
export const nextCheck = (
  { state, since }: Standing,
  verdict: Verdict,
  now: number,
  keyAddedAt: number | undefined,
): number | null => {
  if (state === "pending") {
    return now - since >= PENDING_MS ? null : now + between(FIRST_CHECK_MS, (now - since) / 2, 6 * HOUR_MS);
  }
  const pauses = [DAY_MS];
  if (verdict === "unknown" || state === "warning") pauses.push(HOUR_MS);
  if (state === "failing") pauses.push(between(HOUR_MS, (now - since) / 2, DAY_MS));
  if (keyAddedAt !== undefined) pauses.push(between(FIRST_CHECK_MS, (now - keyAddedAt) / 2, DAY_MS));
  return now + Math.min(...pauses);
};
