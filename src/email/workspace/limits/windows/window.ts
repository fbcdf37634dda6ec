import { DAY_MS, HOUR_MS } from "../../../../lib/util/dates.ts";

/** Mails claimed at the same time. `at`: Unix ms. */
export type Claimed = { at: number; count: number };

/** The maximum mails of a team per period; null for no limit. */
export type SendLimits = { second: number | null; hour: number | null; day: number | null };
type Span = keyof SendLimits;

const SPAN_MS: Readonly<Record<Span, number>> = { second: 1_000, hour: HOUR_MS, day: DAY_MS };
const SPANS: readonly Span[] = ["second", "hour", "day"];

const EXACT = 2_000;
const SLACK = 200;
const PART = 500;

/** A set limit with its use. `opensAt`: Unix ms; 0 for now. */
export type Window = { span: Span; limit: number; used: number; opensAt: number };

/**
 * Returns the set limits. A window is half open: a claim at t counts for a second until t + 999 ms.
 *
 * @param claims oldest first, none later than `now`
 */
export const windowsOf = (limits: SendLimits, claims: readonly Claimed[], now: number): Window[] =>
  SPANS.flatMap((span) => {
    const limit = limits[span];
    if (limit === null) return [];
    const inside = claims.filter(({ at }) => at > now - SPAN_MS[span]);
    const used = inside.reduce((sum, { count }) => sum + count, 0);
    let rest = used;
    let opensAt = 0;
    for (const { at, count } of inside) {
      if (rest < limit) break;
      rest -= count;
      opensAt = at + SPAN_MS[span];
    }
    return [{ span, limit, used, opensAt }];
  });

/**
 * Returns when the last of `mails` may be claimed, in Unix ms, without other mail.
 *
 * @param claims oldest first, none later than `now`
 */
export const lastOf = (limits: SendLimits, claims: readonly Claimed[], now: number, mails: number): number =>
  Math.max(
    now,
    ...windowsOf(limits, claims, now).map(({ span, limit, used }) => {
      const rest = mails - Math.max(0, limit - used);
      if (rest <= 0) return now;
      // Mails leave the window in order. After that, each window is like the one before.
      const rounds = Math.ceil(rest / limit) - 1;
      let leaving = rest - rounds * limit + Math.max(0, used - limit);
      const left = claims.find(({ at, count }) => {
        if (at > now - SPAN_MS[span]) leaving -= count;
        return leaving <= 0;
      });
      return (left?.at ?? now) + (rounds + 1) * SPAN_MS[span];
    }),
  );

export const leftOf = (windows: readonly Window[]): number =>
  Math.min(Number.POSITIVE_INFINITY, ...windows.map(({ limit, used }) => Math.max(0, limit - used)));

/** Returns the limit that opens last; undefined if none is full. */
export const fullOf = (windows: readonly Window[]): Window | undefined =>
  windows.filter(({ opensAt }) => opensAt > 0).sort((a, b) => b.opensAt - a.opensAt)[0];

/** Moves future claims, left by a clock set back, to now. */
export const notLaterThan = (claims: readonly Claimed[], now: number): readonly Claimed[] => {
  const last = claims.at(-1);
  return last === undefined || last.at <= now
    ? claims
    : mergedBy(
        claims.map((claim) => (claim.at <= now ? claim : { ...claim, at: now })),
        ({ at }) => String(at),
      );
};

/** Adds a claim. Many expired claims are dropped. */
export const withClaim = (claims: readonly Claimed[], now: number, count: number): readonly Claimed[] => {
  const last = claims.at(-1);
  const all =
    last?.at === now
      ? [...claims.slice(0, -1), { at: now, count: last.count + count }]
      : [...claims, { at: now, count }];
  return all.length > EXACT + SLACK ? merged(all, now) : all;
};

/** A merged entry has its latest time, so its mails count too long by at most a five-hundredth of the window. */
const merged = (claims: readonly Claimed[], now: number): Claimed[] => {
  const cellOf = ({ at }: Claimed): string => {
    const age = now - at;
    if (age < SPAN_MS.second) return String(at);
    const cell = (age < SPAN_MS.hour ? SPAN_MS.hour : SPAN_MS.day) / PART;
    return `${cell} ${Math.floor(at / cell)}`;
  };
  return mergedBy(
    claims.filter(({ at }) => at > now - SPAN_MS.day),
    cellOf,
  );
};

const mergedBy = (claims: readonly Claimed[], keyOf: (claim: Claimed) => string): Claimed[] => {
  const result: Claimed[] = [];
  let key: string | undefined;
  for (const claim of claims) {
    const own = keyOf(claim);
    const last = result.at(-1);
    if (last && own === key) result[result.length - 1] = { at: claim.at, count: last.count + claim.count };
    else result.push(claim);
    key = own;
  }
  return result;
};
