import { readValue, saveValue } from "../model/kv.ts";
import type { SourceSettings } from "../model/source-settings.ts";

/** Shortest interval between two writes about one source, ms. */
const MIN_INTERVAL = 300_000;
/** Writes per `silentAfter` of a source, at most. */
const WRITES = 12;

/** Greatest age of the stored time, ms. */
const ageOf = (silentAfter: number): number => Math.max(MIN_INTERVAL, silentAfter / WRITES);

/**
 * Remembers when each source with `silentAfter` last had a webhook accepted. The time in memory is exact. The time on disk
 * (one fact) is written at most every five minutes, to save rows. After an eviction the stored time may be too old, so the
 * deadline is moved by as much: an alert may come a little late, never too early.
 */
export const createSilence = (sql: SqlStorage, sources: () => Readonly<Record<string, SourceSettings>>) => {
  const saved = readValue<Record<string, number>>(sql, "seen") ?? {};
  const seen = new Map(Object.entries(saved));
  const exact = new Set<string>();

  const save = (source: string, now: number): void => {
    saved[source] = now;
    saveValue(sql, "seen", saved);
  };
  const watched = (): [string, number][] =>
    Object.entries(sources()).flatMap(([source, { silentAfter }]) => (silentAfter ? [[source, silentAfter]] : []));
  const deadline = (source: string, silentAfter: number): number => {
    const at = seen.get(source);
    if (at === undefined) return Number.NEGATIVE_INFINITY;
    return at + silentAfter + (exact.has(source) ? 0 : ageOf(silentAfter));
  };
  return {
    /** Call it when a webhook was accepted. False for a source without `silentAfter`. */
    heard: (source: string, now: number): boolean => {
      const all = sources();
      const silentAfter = Object.hasOwn(all, source) ? all[source]?.silentAfter : undefined;
      if (!silentAfter) return false;
      seen.set(source, now);
      exact.add(source);
      if (Math.abs(now - (saved[source] ?? Number.NEGATIVE_INFINITY)) >= ageOf(silentAfter)) save(source, now);
      return true;
    },
    /** Sources that are silent for too long. For a source without any webhook yet, the time starts now. */
    silent: (now: number): { source: string; silentFor: number }[] =>
      watched().flatMap(([source, silentAfter]) => {
        const at = seen.get(source);
        if (at === undefined) {
          seen.set(source, now);
          exact.add(source);
          save(source, now);
          return [];
        }
        return now >= deadline(source, silentAfter) ? [{ source, silentFor: now - at }] : [];
      }),
    /** When the next source becomes silent, Unix ms. `isKnown`: true for a source that has an alert already. */
    next: (isKnown: (source: string) => boolean): number =>
      Math.min(
        Number.POSITIVE_INFINITY,
        ...watched().map(([source, silentAfter]) =>
          isKnown(source) ? Number.POSITIVE_INFINITY : deadline(source, silentAfter),
        ),
      ),
  };
};

export type Silence = ReturnType<typeof createSilence>;
