import { readFact, saveFact } from "../model/kv.ts";
import type { SourceSettings } from "../model/source-settings.ts";

/** Ms between two writes about one source at least; its own span is divided in `PARTS`. */
const LEAST = 300_000;
const PARTS = 12;

/** How far what is on disk may be behind, ms. */
const behind = (silentAfter: number): number => Math.max(LEAST, silentAfter / PARTS);

/**
 * When a webhook of each watched source was accepted last. Exact in memory; on disk (one fact) only now and then, so
 * that watching costs one row in five minutes or more. After an eviction what is missing is allowed for: silence is
 * noticed a little late, never too early.
 */
export const createSilence = (sql: SqlStorage, sources: () => Readonly<Record<string, SourceSettings>>) => {
  const saved = readFact<Record<string, number>>(sql, "seen") ?? {};
  const seen = new Map(Object.entries(saved));
  const exact = new Set<string>();

  const save = (source: string, now: number): void => {
    saved[source] = now;
    saveFact(sql, "seen", saved);
  };
  const watched = (): [string, number][] =>
    Object.entries(sources()).flatMap(([source, { silentAfter }]) => (silentAfter ? [[source, silentAfter]] : []));
  const deadline = (source: string, silentAfter: number): number => {
    const at = seen.get(source);
    if (at === undefined) return Number.NEGATIVE_INFINITY;
    return at + silentAfter + (exact.has(source) ? 0 : behind(silentAfter));
  };
  return {
    /** A webhook was accepted. False where nobody watches its source. */
    heard: (source: string, now: number): boolean => {
      const all = sources();
      const silentAfter = Object.hasOwn(all, source) ? all[source]?.silentAfter : undefined;
      if (!silentAfter) return false;
      seen.set(source, now);
      exact.add(source);
      if (Math.abs(now - (saved[source] ?? Number.NEGATIVE_INFINITY)) >= behind(silentAfter)) save(source, now);
      return true;
    },
    /** Sources that are silent for too long. The clock of one that was never heard starts now. */
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
    /** When the next of those that are not known to be silent would be, Unix ms. */
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
