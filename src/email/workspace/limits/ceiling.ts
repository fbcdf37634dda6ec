import { HOUR_MS, MINUTE_MS } from "../../../lib/util/dates.ts";

/** Mails per minute. Low-volume transactional mail, such as sign-in codes, must not wait. */
const FLOORS: Readonly<Record<string, number>> = { transactional: 10, marketing: 1 };
/** One stalled mail must not block all others. */
const MIN_IN_FLIGHT = 2;
/** Throttling answers within this time belong to one burst and halve a ceiling once. */
const BURST_MS = 10_000;
const GROW_MS = MINUTE_MS;
const DROP_MS = 6 * HOUR_MS;
/** The maximum delay of a mail, because the ceiling may grow by then. */
const HORIZON_MS = HOUR_MS;
/** Saved tokens in minutes of the rate, because a Mailer takes batches. */
const SAVED_MINUTES = 1 / 30;

/**
 * A limit learned from throttling answers. `step`: growth of `perMinute` per clean minute. `bookedUntil`: end of
 * booked times. Times in Unix ms.
 */
export type Ceiling = {
  perMinute: number;
  inFlight: number;
  step: number;
  since: number;
  halvedAt: number;
  grownAt: number;
  throttledAt: number;
  resumeAt: number;
  bookedUntil: number;
  tokens: number;
  refilledAt: number;
  message: string;
};

export type Load = Pick<Ceiling, "perMinute" | "inFlight">;

type Answer = { message: string; retryAfter?: number | undefined };

/** Halves the allowed or the actual load, the lower one, down to the floor. */
export const throttled = (
  before: Ceiling | undefined,
  load: Load,
  now: number,
  answer: Answer,
  mailClass: string,
): Ceiling => {
  const resumeAt = Math.max(before?.resumeAt ?? 0, now + Math.min(answer.retryAfter ?? 0, HORIZON_MS));
  const latest = { throttledAt: now, resumeAt, message: answer.message };
  if (before && now - before.halvedAt < BURST_MS) return { ...before, ...latest };
  const half = (floor: number, allowed: number | undefined, used: number) =>
    Math.max(floor, Math.min(allowed ?? Number.POSITIVE_INFINITY, used) / 2);
  const perMinute = half(FLOORS[mailClass] ?? 1, before?.perMinute, load.perMinute);
  const inFlight = Math.floor(half(MIN_IN_FLIGHT, before?.inFlight, load.inFlight));
  return {
    perMinute,
    inFlight,
    step: Math.max(1, perMinute / 10),
    since: before?.since ?? now,
    halvedAt: now,
    grownAt: now,
    ...latest,
    bookedUntil: before?.bookedUntil ?? now,
    tokens: 0,
    refilledAt: now,
  };
};

export const clean = (ceiling: Ceiling, now: number): Ceiling =>
  now - Math.max(ceiling.grownAt, ceiling.throttledAt) < GROW_MS
    ? ceiling
    : {
        ...ceiling,
        perMinute: ceiling.perMinute + ceiling.step,
        grownAt: now,
        inFlight: ceiling.inFlight + Math.max(1, Math.floor(ceiling.inFlight / 10)),
      };

export const droppedAt = ({ throttledAt }: Ceiling): number => throttledAt + DROP_MS;

/** Adds tokens for elapsed time; a clock set back adds none. */
export const refilled = (ceiling: Ceiling, now: number): Ceiling => {
  const { tokens, perMinute, refilledAt } = ceiling;
  const added = (Math.max(0, now - refilledAt) / MINUTE_MS) * perMinute;
  return { ...ceiling, tokens: Math.min(Math.max(1, perMinute * SAVED_MINUTES), tokens + added), refilledAt: now };
};

/** True if one more mail may start. `waited`: the mail had a booked time. */
export const admits = (
  { tokens, resumeAt, bookedUntil, inFlight }: Ceiling,
  now: number,
  { waited, claimed }: { waited: boolean; claimed: number },
): boolean => now >= resumeAt && claimed < inFlight && tokens >= 1 && (waited || bookedUntil <= now);

export const book = (ceiling: Ceiling, now: number): { bookedAt: number; ceiling: Ceiling } => {
  const bookedAt = Math.ceil(Math.max(ceiling.bookedUntil, ceiling.resumeAt, now) + MINUTE_MS / ceiling.perMinute);
  // Mails beyond the horizon return in order and book a time then.
  return bookedAt > now + HORIZON_MS
    ? { bookedAt: now + HORIZON_MS, ceiling }
    : { bookedAt, ceiling: { ...ceiling, bookedUntil: bookedAt } };
};
