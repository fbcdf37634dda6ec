/**
 * Full jitter (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/) of an exponential time.
 *
 * @param attempt attempts so far, from 1
 * @param random 0 ≤ random < 1
 * @returns ms to wait
 */
export const fullJitter = (attempt: number, random: number, base = 1000, cap = 600_000): number =>
  Math.round(random * Math.min(cap, base * 2 ** Math.min(attempt, 30)));

/**
 * Equal jitter: half of an exponential time plus a random part of the other half.
 *
 * @param attempt from 1: the first wait is at most `base`
 * @returns ms to wait
 */
export const equalJitter = (attempt: number, random: number, base: number, cap: number): number =>
  Math.round(Math.min(cap, base * 2 ** Math.min(attempt - 1, 30)) * (0.5 + random / 2));
