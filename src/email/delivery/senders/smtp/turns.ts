import type { Account } from "./accounts.ts";
import type { Timers } from "./wire.ts";

/** The right to use one connection of an account. */
export type Turns = {
  /** Waits for a turn. False when the time is over before; `until`: Unix ms. */
  take(until: number): Promise<boolean>;
  giveBack(): void;
  /** Turns that are taken or waited for. */
  load(): number;
};

/** Gives turns, first come, first served, by the number of connections and the pace of an account. */
export const createTurns = ({ maxConnections, perSecond }: Account, timers: Timers): Turns => {
  const waiting: (() => void)[] = [];
  let taken = 0;
  let nextStart = 0;
  let isTimed = false;

  const give = (): void => {
    while (taken < maxConnections && waiting.length > 0) {
      if (perSecond !== undefined) {
        const now = timers.now();
        if (now < nextStart) {
          if (!isTimed) timers.after(nextStart - now, resume);
          isTimed = true;
          return;
        }
        nextStart = now + 1_000 / perSecond;
      }
      taken++;
      waiting.shift()?.();
    }
  };

  const resume = (): void => {
    isTimed = false;
    give();
  };

  return {
    load: () => taken + waiting.length,
    take: (until) =>
      new Promise((resolve) => {
        let cancel = () => {};
        const start = () => {
          cancel();
          resolve(true);
        };
        waiting.push(start);
        give();
        // Most turns are free at once: a timer for each would cost more than the turn.
        if (!waiting.includes(start)) return;
        cancel = timers.after(until - timers.now(), () => {
          waiting.splice(waiting.indexOf(start), 1);
          resolve(false);
        });
      }),
    giveBack() {
      taken--;
      give();
    },
  };
};
