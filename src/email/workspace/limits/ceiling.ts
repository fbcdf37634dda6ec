import { HOUR_MS, MINUTE_MS } from "../../../lib/util/dates.ts";

/** The lowest ceilings, in mails a minute. Transactional mail of a team with little of it, such as sign-in codes, must not wait. */
const FLOORS: Readonly<Record<string, number>> = { transactional: 10, marketing: 1 };
/** One mail that stalls must not hold back all others. */
const MIN_IN_FLIGHT = 2;
/** Throttling answers within this time are about the same burst: a ceiling is halved once for them. */
const BURST_MS = 10_000;
/** A ceiling grows by one step for each span of this length without throttling, in ms. */
const GROW_MS = MINUTE_MS;
/** A ceiling is forgotten this long after the last throttling answer, in ms. */
const FORGET_MS = 6 * HOUR_MS;
/** A mail is put off this far at most, in ms: the ceiling may have grown by then. */
const HORIZON_MS = HOUR_MS;
/** Tokens that can be saved up, in minutes of the rate: a Mailer takes mails in batches. */
const SAVED_MINUTES = 1 / 30;

/**
 * The limit of mail to one place that was learned from throttling answers. `perMinute`: mails started per minute.
 * `inFlight`: mails claimed at the same time. `step`: growth of `perMinute` for a clean minute. `bookedUntil`: end of the
 * slots that waiting mails have. `resumeAt`: end of the pause that a relay asked for. `message`: the last throttling answer.
 * Times in Unix ms.
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

/** What left lately: mails per minute, and mails that can be in flight at the same time. */
export type Load = Pick<Ceiling, "perMinute" | "inFlight">;

type Answer = { message: string; retryAfter?: number | undefined };

/** The ceiling after a throttling answer: half of what was allowed, or of what left where that is less. Never below the floor. */
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

/** The ceiling after a mail was accepted. */
export const clean = (ceiling: Ceiling, now: number): Ceiling =>
  now - Math.max(ceiling.grownAt, ceiling.throttledAt) < GROW_MS
    ? ceiling
    : {
        ...ceiling,
        perMinute: ceiling.perMinute + ceiling.step,
        grownAt: now,
        inFlight: ceiling.inFlight + Math.max(1, Math.floor(ceiling.inFlight / 10)),
      };

/** When a ceiling is forgotten, in Unix ms. */
export const forgottenAt = ({ throttledAt }: Ceiling): number => throttledAt + FORGET_MS;

/** The ceiling with the tokens that time has added. A clock that has stepped back adds none. */
export const refilled = (ceiling: Ceiling, now: number): Ceiling => {
  const { tokens, perMinute, refilledAt } = ceiling;
  const added = (Math.max(0, now - refilledAt) / MINUTE_MS) * perMinute;
  return { ...ceiling, tokens: Math.min(Math.max(1, perMinute * SAVED_MINUTES), tokens + added), refilledAt: now };
};

/** True when one mail more may start. `waited`: the mail had a slot; others go behind the mails that wait. */
export const admits = (
  { tokens, resumeAt, bookedUntil, inFlight }: Ceiling,
  now: number,
  { waited, claimed }: { waited: boolean; claimed: number },
): boolean => now >= resumeAt && claimed < inFlight && tokens >= 1 && (waited || bookedUntil <= now);

/** The next free slot for a mail that has to wait, in Unix ms. */
export const book = (ceiling: Ceiling, now: number): { slot: number; ceiling: Ceiling } => {
  const slot = Math.ceil(Math.max(ceiling.bookedUntil, ceiling.resumeAt, now) + MINUTE_MS / ceiling.perMinute);
  // Mails behind the horizon come back in their order, and get a slot then.
  return slot > now + HORIZON_MS
    ? { slot: now + HORIZON_MS, ceiling }
    : { slot, ceiling: { ...ceiling, bookedUntil: slot } };
};
