import type { Handover } from "../../types/mail-handover.ts";
import { admits, book, type Ceiling, clean, droppedAt, type Load, refilled, throttled } from "./ceiling.ts";
import { type CeilingName, eraseCeiling, readCeilings, writeCeiling } from "./limit-rows.ts";
import { excerptOf } from "./limit-words.ts";

type InUse = { name: CeilingName; ceiling: Ceiling; claimed: Map<number, number>; writtenAt: number };

const CLAIMED_MS = 300_000;
const WRITE_MS = 300_000;

export const keyOf = ({ mailClass, kind, destination }: CeilingName): string => `${mailClass} ${kind} ${destination}`;

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
      [...all(now).values()].some((inUse) => inUse.name.mailClass === mailClass),
    among: (names: readonly CeilingName[], now: number): InUse[] =>
      names.flatMap((name) => {
        const inUse = all(now).get(keyOf(name));
        if (inUse && now >= droppedAt(inUse.ceiling)) {
          all(now).delete(keyOf(name));
          eraseCeiling(sql, name);
          return [];
        }
        return inUse ?? [];
      }),
    lower(name: CeilingName, load: Load, now: number, answer: Extract<Handover, { outcome: "deferred" }>): InUse {
      const before = all(now).get(keyOf(name));
      const said = { ...answer, message: excerptOf(answer.message) };
      const ceiling = throttled(before?.ceiling, load, now, said, name.mailClass);
      const one = { name, ceiling, claimed: before?.claimed ?? new Map<number, number>(), writtenAt: now };
      all(now).set(keyOf(name), one);
      if (ceiling.halvedAt === now) writeCeiling(sql, name, ceiling, droppedAt(ceiling));
      return one;
    },
    raise(inUse: InUse, now: number): void {
      inUse.ceiling = clean(inUse.ceiling, now);
      if (inUse.ceiling.grownAt !== now || now - inUse.writtenAt < WRITE_MS) return;
      inUse.writtenAt = now;
      writeCeiling(sql, inUse.name, inUse.ceiling, droppedAt(inUse.ceiling));
    },
    released(n: number, now: number): void {
      for (const { claimed } of all(now).values()) claimed.delete(n);
    },
  };
};

/** True if a mail may be claimed. `waited`: it had a booked time. */
export const isAdmitted = (inUse: InUse, now: number, waited: boolean): boolean => {
  inUse.ceiling = refilled(inUse.ceiling, now);
  for (const [n, until] of inUse.claimed) if (until <= now) inUse.claimed.delete(n);
  return admits(inUse.ceiling, now, { waited, claimed: inUse.claimed.size });
};

export const take = (inUse: InUse, n: number, now: number): void => {
  inUse.ceiling = { ...inUse.ceiling, tokens: inUse.ceiling.tokens - 1 };
  inUse.claimed.set(n, now + CLAIMED_MS);
};

/** Returns the booked time of a waiting mail, in Unix ms. */
export const takeSlot = (inUse: InUse, now: number): number => {
  const { bookedAt, ceiling } = book(inUse.ceiling, now);
  inUse.ceiling = ceiling;
  return bookedAt;
};
