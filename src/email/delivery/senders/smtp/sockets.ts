import type { Timers } from "../definition.ts";
import { MAX_CONNECTIONS } from "./accounts.ts";
import { createTurns } from "./turns.ts";

/** Connections of one Mailer to all accounts. */
export type Sockets = ReturnType<typeof createSockets>;

/** Bounds the connections of all pools together: a Worker may have six. Idle ones make room. */
export const createSockets = (timers: Timers) => {
  const turns = createTurns({ maxConnections: MAX_CONNECTIONS }, timers);
  const closers: (() => boolean)[] = [];
  return {
    /** @param closeIdle closes the pool's oldest idle connection, or returns false */
    join: (closeIdle: () => boolean): void => {
      closers.push(closeIdle);
    },
    /** Waits until a connection may be opened. False after a timeout; `until`: Unix ms. */
    take: (until: number): Promise<boolean> => {
      if (turns.load() >= MAX_CONNECTIONS) closers.some((closeIdle) => closeIdle());
      return turns.take(until);
    },
    giveBack: (): void => turns.giveBack(),
    /** True while a mail waits for a connection. */
    isWanted: (): boolean => turns.load() > MAX_CONNECTIONS,
  };
};
