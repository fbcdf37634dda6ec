import { MINUTE_MS } from "../../../lib/util/dates.ts";

const PLACES = 5_000;

/** Counts mails by key in memory for the last and the current minute. */
export const createMeter = () => {
  let minute = 0;
  let current = new Map<string, number>();
  let before = new Map<string, number>();
  const roll = (now: number): void => {
    const next = Math.floor(now / MINUTE_MS);
    if (next === minute) return;
    before = next === minute + 1 ? current : new Map();
    current = new Map();
    minute = next;
  };
  return {
    add(key: string, now: number): void {
      roll(now);
      if (current.size < PLACES || current.has(key)) current.set(key, (current.get(key) ?? 0) + 1);
    },
    perMinute(key: string, now: number): number {
      roll(now);
      const rest = 1 - (now % MINUTE_MS) / MINUTE_MS;
      return (current.get(key) ?? 0) + (before.get(key) ?? 0) * rest;
    },
  };
};
