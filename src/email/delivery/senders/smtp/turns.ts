import type { Timers } from "../definition.ts";
import type { Account } from "./accounts.ts";

export type Turns = {
  /** Waits for a turn. False after a timeout; `until`: Unix ms. */
  take(until: number): Promise<boolean>;
  giveBack(): void;
  load(): number;
};

/** Grants turns in FIFO order. */
export const createTurns = (
  { maxConnections, perSecond }: Pick<Account, "maxConnections" | "perSecond">,
  timers: Timers,
): Turns => {
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
        // Most turns are free at once: a timer for each would cost more.
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
