import type { Handover } from "../../types/mail.ts";
import { admits, book, type Ceiling, clean, forgottenAt, type Load, refilled, throttled } from "./ceiling.ts";
import { type CeilingName, eraseCeiling, readCeilings, writeCeiling } from "./rows.ts";
import { excerptOf } from "./words.ts";

type InUse = { name: CeilingName; ceiling: Ceiling; claimed: Map<number, number>; writtenAt: number };

const CLAIMED_MS = 300_000;
const WRITE_MS = 300_000;

export const keyOf = ({ mailClass, kind, place }: CeilingName): string => `${mailClass} ${kind} ${place}`;

const restarted = (ceiling: Ceiling, now: number): Ceiling => ({
  ...ceiling,
  bookedUntil: 0,
  tokens: 0,
  refilledAt: now,
});

/** The ceilings of a team, in memory. Rows are written when halved, and every few minutes during growth. */
export const createCeilings = (sql: SqlStorage) => {
  let known: Map<string, InUse> | undefined;
  /** The rows are read at first use, because no table exists before the migrations. */
  const all = (now: number): Map<string, InUse> => {
    known ??= new Map(
      readCeilings(sql, now).map(({ name, ceiling }) => [
        keyOf(name),
        { name, ceiling: restarted(ceiling, now), claimed: new Map(), writtenAt: now },
      ]),
    );
    return known;
  };
  return {
    has: (mailClass: string, now: number): boolean =>
      [...all(now).values()].some((one) => one.name.mailClass === mailClass),
    among: (names: readonly CeilingName[], now: number): InUse[] =>
      names.flatMap((name) => {
        const one = all(now).get(keyOf(name));
        if (one && now >= forgottenAt(one.ceiling)) {
          all(now).delete(keyOf(name));
          eraseCeiling(sql, name);
          return [];
        }
        return one ?? [];
      }),
    lower(name: CeilingName, load: Load, now: number, answer: Extract<Handover, { outcome: "deferred" }>): InUse {
      const before = all(now).get(keyOf(name));
      const said = { ...answer, message: excerptOf(answer.message) };
      const ceiling = throttled(before?.ceiling, load, now, said, name.mailClass);
      const one = { name, ceiling, claimed: before?.claimed ?? new Map<number, number>(), writtenAt: now };
      all(now).set(keyOf(name), one);
      if (ceiling.halvedAt === now) writeCeiling(sql, name, ceiling, forgottenAt(ceiling));
      return one;
    },
    raise(one: InUse, now: number): void {
      one.ceiling = clean(one.ceiling, now);
      if (one.ceiling.grownAt !== now || now - one.writtenAt < WRITE_MS) return;
      one.writtenAt = now;
      writeCeiling(sql, one.name, one.ceiling, forgottenAt(one.ceiling));
    },
    released(n: number, now: number): void {
      for (const { claimed } of all(now).values()) claimed.delete(n);
    },
  };
};

/** True if a mail may be claimed. `waited`: it had a slot. */
export const isAdmitted = (one: InUse, now: number, waited: boolean): boolean => {
  one.ceiling = refilled(one.ceiling, now);
  for (const [n, until] of one.claimed) if (until <= now) one.claimed.delete(n);
  return admits(one.ceiling, now, { waited, claimed: one.claimed.size });
};

export const take = (one: InUse, n: number, now: number): void => {
  one.ceiling = { ...one.ceiling, tokens: one.ceiling.tokens - 1 };
  one.claimed.set(n, now + CLAIMED_MS);
};

/** Returns the slot of a waiting mail, in Unix ms. */
export const takeSlot = (one: InUse, now: number): number => {
  const { slot, ceiling } = book(one.ceiling, now);
  one.ceiling = ceiling;
  return slot;
};
