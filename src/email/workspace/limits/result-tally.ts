import type { MailClass } from "../../types/mail-handover.ts";
import type { SendResult } from "../../types/mailer-rpc.ts";
import type { ResultCount } from "../../types/pulse.ts";

/** Senders come from settings, so only a bug can reach this. */
const MAX_SETS = 200;

/** Counts results of Mailers in memory. `last`: Unix ms of the newest of a mail class. */
export const createResultTally = (now: () => number) => {
  const counts = new Map<string, ResultCount>();
  const last = new Map<MailClass, number>();
  return {
    add({ sender, handover: { outcome } }: SendResult, mailClass: MailClass): void {
      last.set(mailClass, now());
      const key = `${mailClass} ${outcome} ${sender}`;
      const known = counts.get(key);
      if (!known && counts.size >= MAX_SETS) return;
      counts.set(key, { mailClass, sender, outcome, count: (known?.count ?? 0) + 1 });
    },
    last: (mailClass: MailClass): number | undefined => last.get(mailClass),
    counts: (): ResultCount[] => [...counts.values()],
  };
};
