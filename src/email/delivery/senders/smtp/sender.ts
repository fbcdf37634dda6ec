import type { MailClass, RelaySender } from "../../../types/mail.ts";
import { accountsFor } from "./accounts.ts";
import { misconfigured } from "./classify.ts";
import { withMetadata } from "./metadata.ts";
import type { Pool } from "./pool.ts";

export const smtpSender = (pools: readonly Pool[], mailClass: MailClass, domain: string): RelaySender => {
  const usable = poolsFor(pools, mailClass, domain.toLowerCase());
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

const poolsFor = (pools: readonly Pool[], mailClass: MailClass, domain: string): Pool[] => {
  const ofClass = pools.filter(({ account: { classes } }) => !classes || classes.includes(mailClass));
  const chosen = new Set(
    accountsFor(
      ofClass.map(({ account }) => account),
      domain,
    ),
  );
  return ofClass.filter(({ account }) => chosen.has(account));
};

/** A failing mail provider looks idle, so it is skipped. */
const working = (pools: readonly Pool[]): readonly Pool[] => {
  const up = pools.filter((pool) => !pool.isDown());
  return up.length > 0 ? up : pools;
};

const leastLoaded = (pools: readonly Pool[]): Pool | undefined =>
  pools.reduce<Pool | undefined>((best, pool) => (best && best.load() <= pool.load() ? best : pool), undefined);
