import type { Handover, Message } from "../../../types/mail.ts";
import type { Account } from "./accounts.ts";
import { notConnected } from "./classify.ts";
import { openSession, quit, type Session, type SessionDependencies } from "./session.ts";
import { transact } from "./transaction.ts";
import { createTurns } from "./turns.ts";

/** The connections to one account. */
export type Pool = {
  account: Account;
  send(message: Message): Promise<Handover>;
  /** Mails in flight or waiting for a connection. */
  load(): number;
  /** The last connection failed, a short time ago. */
  isDown(): boolean;
};

/** How long a relay without a connection is left out while another one works, in ms. */
const DOWN_MS = 30_000;

/**
 * The domain of the return path: it has an MX record, or is the From domain. Line breaks of a hostile address would be commands
 * here; the mail itself is refused on the connection.
 */
const domainOf = ({ envelope: { from } }: Message): string =>
  from.slice(from.lastIndexOf("@") + 1).replace(/[^\w.-]/g, "");

/** Keeps connections open between mails, and closes those that are not used. */
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
        // A relay that has too many connections is up.
        if (session.failure.throttled) return session.failure;
        downUntil = timers.now() + DOWN_MS;
        return { ...session.failure, down: true };
      }
      downUntil = 0;
      const { handover, reusable, untouched } = await transact(session, message, dependencies, until);
      if (reusable) keep(session);
      // The relay had closed a connection that was kept: another one can take the mail.
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
