import type { Handover, Message } from "../../../types/mail-handover.ts";
import type { Account } from "./accounts.ts";
import { notConnected } from "./classify.ts";
import { openSession, quit, type Session, type SessionDependencies } from "./session.ts";
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

/** Closes idle connections. */
export const createPool = (account: Account, dependencies: SessionDependencies): Pool => {
  const { timers, limits } = dependencies;
  const turns = createTurns(account, timers);
  let downUntil = 0;
  const idle: { session: Session; cancel(): void }[] = [];

  const keep = (session: Session): void => {
    if (session.mails >= account.maxMails) {
      void quit(session.wire, limits);
      return;
    }
    const one = {
      session,
      cancel: timers.after(limits.idle, () => {
        idle.splice(idle.indexOf(one), 1);
        void quit(session.wire, limits);
      }),
    };
    idle.push(one);
  };

  const attempt = async (message: Message, until: number): Promise<Handover> => {
    for (;;) {
      const kept = idle.pop();
      kept?.cancel();
      const session = kept?.session ?? (await openSession(account, dependencies, domainOf(message), until));
      if ("failure" in session) {
        // A mail provider that throttles connections is up.
        if (session.failure.throttled || session.failure.local) return session.failure;
        downUntil = timers.now() + DOWN_MS;
        return { ...session.failure, down: true };
      }
      downUntil = 0;
      const { handover, reusable, untouched } = await transact(session, message, dependencies, until);
      if (reusable) keep(session);
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
