import type { Handover, Message } from "../../../types/mail-handover.ts";
import type { Account } from "./accounts.ts";
import { notConnected } from "./classify.ts";
import { openSession, quit, type Session, type SessionDependencies } from "./session.ts";
import { createSockets, type Sockets } from "./sockets.ts";
import { transact } from "./transaction.ts";
import { createTurns } from "./turns.ts";

export type Pool = {
  account: Account;
  send(message: Message): Promise<Handover>;
  /** Mails in flight or waiting for a connection. */
  load(): number;
  isDown(): boolean;
};

/** In ms. */
const DOWN_MS = 30_000;

/** Removes line breaks, which would inject commands. The mail itself is refused on the connection. */
const domainOf = ({ envelope: { from } }: Message): string =>
  from.slice(from.lastIndexOf("@") + 1).replace(/[^\w.-]/g, "");

/** Closes idle connections. `sockets`: shared by the pools of a Mailer. */
export const createPool = (
  account: Account,
  dependencies: SessionDependencies,
  sockets: Sockets = createSockets(dependencies.timers),
): Pool => {
  const { timers, limits } = dependencies;
  const turns = createTurns(account, timers);
  let downUntil = 0;
  /** The oldest first. `until`: Unix ms. */
  const idle: { session: Session; until: number }[] = [];
  let watchedUntil = 0;

  const close = ({ wire }: Session): void => {
    void quit(wire, limits).finally(sockets.giveBack);
  };

  sockets.join(() => {
    const oldest = idle.shift();
    if (oldest) close(oldest.session);
    return oldest !== undefined;
  });

  const keep = (session: Session): void => {
    if (session.mails >= account.maxMails || sockets.isWanted()) {
      close(session);
      return;
    }
    idle.push({ session, until: timers.now() + limits.idle });
    closeIdle();
  };

  /** One timer for all: setting and clearing one for each mail would cost more than the rest of the pool. */
  const closeIdle = (): void => {
    const now = timers.now();
    const due = idle.filter(({ until }) => until <= now);
    for (const { session } of idle.splice(0, due.length)) close(session);
    if (!idle[0] || now < watchedUntil) return;
    watchedUntil = idle[0].until;
    // A timer may fire before its time, or never: another one follows.
    timers.after(watchedUntil - now, () => {
      watchedUntil = 0;
      closeIdle();
    });
  };

  const open = async (message: Message, until: number): ReturnType<typeof openSession> => {
    if (!(await sockets.take(until))) return { failure: notConnected(new Error("no connection was free in time")) };
    const session = await openSession(account, dependencies, domainOf(message), until);
    if ("failure" in session) sockets.giveBack();
    return session;
  };

  const attempt = async (message: Message, until: number): Promise<Handover> => {
    for (;;) {
      const kept = idle.pop();
      const session = kept?.session ?? (await open(message, until));
      if ("failure" in session) {
        // A mail provider that throttles connections is up.
        if (session.failure.throttled || session.failure.local) return session.failure;
        downUntil = timers.now() + DOWN_MS;
        return { ...session.failure, down: true };
      }
      downUntil = 0;
      const { handover, reusable, untouched } = await transact(session, message, dependencies, until);
      if (reusable) keep(session);
      else sockets.giveBack();
      // The server had closed an idle connection: retry on another one.
      if (!(kept && untouched)) return handover;
    }
  };

  return {
    account,
    load: turns.load,
    isDown: () => timers.now() < downUntil,
    async send(message) {
      const until = timers.now() + limits.attempt;
      if (!(await turns.take(until))) return notConnected(new Error("no connection was free in time"));
      try {
        return await attempt(message, until);
      } finally {
        turns.giveBack();
      }
    },
  };
};
