import type { MailClass, MessageSender } from "../../../types/mail-handover.ts";
import { accountsFor } from "./accounts.ts";
import { misconfigured } from "./classify.ts";
import { withMetadata } from "./metadata.ts";
import type { Pool } from "./pool.ts";

/** Sends through one of the accounts of a mail class and From domain. */
export const smtpSender = (pools: readonly Pool[], mailClass: MailClass, domain: string): MessageSender => {
  const usable = poolsFor(pools, domain.toLowerCase());
  return {
    name: "smtp",
    async send(message) {
      const pool = leastLoaded(working(usable));
      return pool
        ? pool.send(withMetadata(message, pool.account.host))
        : misconfigured(`No account of SMTP_URL is for ${mailClass} mail of ${domain}.`);
    },
  };
};

const poolsFor = (pools: readonly Pool[], domain: string): Pool[] => {
  const accounts = pools.map((pool) => ({ ...pool.account, pool }));
  return accountsFor(accounts, domain).map(({ pool }) => pool);
};

/** A failing mail provider looks idle, so it is skipped. */
const working = (pools: readonly Pool[]): readonly Pool[] => {
  const up = pools.filter((pool) => !pool.isDown());
  return up.length > 0 ? up : pools;
};

const leastLoaded = (pools: readonly Pool[]): Pool | undefined =>
  pools.reduce<Pool | undefined>((best, pool) => (best && best.load() <= pool.load() ? best : pool), undefined);
