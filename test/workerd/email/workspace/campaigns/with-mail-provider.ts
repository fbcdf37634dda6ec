import { runInDurableObject } from "cloudflare:test";
import { MailerQueue } from "../../../../../src/email/delivery/mailer/mailer-queue.ts";
import { type NoteStore, nothingNoted } from "../../../../../src/email/delivery/mailer/note.ts";
import { readAccounts } from "../../../../../src/email/delivery/senders/smtp/accounts.ts";
import { LIMITS } from "../../../../../src/email/delivery/senders/smtp/limits.ts";
import { createPool } from "../../../../../src/email/delivery/senders/smtp/pool.ts";
import type { MailerRpc } from "../../../../../src/email/types/mailer-rpc.ts";
import type { Workspace } from "../../../../../src/email/workspace/object.ts";
import { memoryConnect } from "../../../../mail-provider/memory.ts";
import { type Behavior, createMailProvider } from "../../../../mail-provider/relay.ts";
import { advance, runAlarm, type Team } from "../../bench.ts";

const notes: NoteStore = { read: () => nothingNoted, write: async () => {} };

/** The mail provider in memory answers at once, so no time limit is needed. An open timer would delay an eviction. */
const timers = { now: () => Date.now(), after: () => () => {} };

const accountOf = () => {
  const read = readAccounts("smtp://127.0.0.1:25?tls=off");
  if ("problem" in read) throw new Error(read.problem);
  return read.accounts[0] ?? fail();
};
const fail = (): never => {
  throw new Error("There is no account.");
};

/**
 * Real Mailers with the real SMTP client. `behavior`: of the mail provider. `start` puts them into the team's
 * object, also after an eviction.
 */
export const withMailProvider = (team: Team, behavior: Behavior) => {
  const mailProvider = createMailProvider(behavior);
  let working = 0;

  const mailersOf = () => {
    const pool = createPool(accountOf(), { connect: memoryConnect(mailProvider.serve), timers, limits: LIMITS });
    const queues = new Map<string, MailerQueue>();
    const queueOf = (name: string): MailerQueue => {
      const known = queues.get(name);
      if (known) return known;
      const queue = new MailerQueue({
        mailClass: "marketing",
        now: () => Date.now(),
        notes,
        wait: (_, until) => until,
        handOver: async ({ id, recipient }) => {
          const raw = new TextEncoder().encode("Subject: News\r\n\r\nHello.\r\n");
          const envelope = { from: "news@acme.example", to: [recipient] };
          return { sender: "smtp", handover: await pool.send({ id, raw, envelope, smtpUtf8: false }) };
        },
      });
      queues.set(name, queue);
      return queue;
    };
    const mailer: MailerRpc = {
      exchange: async (name, order) => {
        working += 1;
        // Real Mailers answer in another event.
        const answer = await queueOf(name).exchange(order);
        setTimeout(() => {
          working -= 1;
        }, 0);
        return answer;
      },
      recall: async (name, claims) => queueOf(name).recall(claims),
    };
    return { getByName: () => mailer };
  };

  const until = async (isTrue: () => boolean): Promise<void> => {
    while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  return {
    start: () =>
      runInDurableObject(team.stub, (workspace: Workspace) => {
        const { env } = workspace as unknown as { env: object };
        Object.defineProperty(workspace, "env", { value: { ...env, MAILER: mailersOf() } });
      }),
    ring: async (ms = 1_000): Promise<void> => {
      advance(ms);
      await team.inside((_, storage) => storage.setAlarm(Date.now()));
      await runAlarm(team.stub);
      await team.inside(() => until(() => working === 0));
    },
    taken: (): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const { to } of mailProvider.seen.mails) for (const one of to) counts[one] = (counts[one] ?? 0) + 1;
      return counts;
    },
    asked: (address: string): number =>
      mailProvider.seen.lines.filter(({ text }) => text.startsWith(`RCPT TO:<${address}>`)).length,
  };
};
