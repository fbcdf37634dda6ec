/**
 * Full jitter (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/): a uniformly random part of an
 * exponentially growing time.
 *
 * @param attempt attempts so far, from 1
 * @param random 0 ≤ random < 1
 * @returns ms to wait
 */
export const fullJitter = (attempt: number, random: number, base = 1000, cap = 600_000): number =>
  Math.round(random * Math.min(cap, base * 2 ** Math.min(attempt, 30)));

/**
 * Equal jitter (the same article): half of an exponentially growing time, and a uniformly random part of the other half.
 *
 * @param attempt attempts so far, from 1: the first wait is at most `base`
 * @param random 0 ≤ random < 1
 * @returns ms to wait
 */
export const equalJitter = (attempt: number, random: number, base: number, cap: number): number =>
  Math.round(Math.min(cap, base * 2 ** Math.min(attempt - 1, 30)) * (0.5 + random / 2));
