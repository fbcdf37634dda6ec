import { readValue, saveValue } from "../../lib/util/kv.ts";
import type { SourceSettings } from "../model/source-settings.ts";

/** Milliseconds. */
const MIN_INTERVAL = 300_000;
const WRITES = 12;

/** Milliseconds. */
const ageOf = (silentAfter: number): number => Math.max(MIN_INTERVAL, silentAfter / WRITES);

/** Tracks each source's last webhook. An alert may be late after an eviction, never early. */
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
    /** Returns false for a source without `silentAfter`. */
    heard: (source: string, now: number): boolean => {
      const all = sources();
      const silentAfter = Object.hasOwn(all, source) ? all[source]?.silentAfter : undefined;
      if (!silentAfter) return false;
      seen.set(source, now);
      exact.add(source);
      if (Math.abs(now - (saved[source] ?? Number.NEGATIVE_INFINITY)) >= ageOf(silentAfter)) save(source, now);
      return true;
    },
    /** A source without webhooks starts its time now. */
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
    /** Unix ms. `isKnown`: true for a source that already has an alert. */
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
