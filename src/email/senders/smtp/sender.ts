import type { MailClass, RelaySender } from "../../types/mail.ts";
import { misconfigured } from "./classify.ts";
import { withMetadata } from "./metadata.ts";
import type { Pool } from "./pool.ts";

/** Sends mail of one class and domain through the accounts of SMTP relays that are for them. */
export const smtpSender = (pools: readonly Pool[], mailClass: MailClass, domain: string): RelaySender => {
  const usable = poolsFor(pools, mailClass, domain.toLowerCase());
  return {
    name: "smtp",
    async send(message) {
      const pool = leastLoaded(usable);
      return pool
        ? pool.send(withMetadata(message, pool.account.host))
        : misconfigured(`No account of SMTP_URL is for ${mailClass} mail of ${domain}.`);
    },
  };
};

/** Accounts that name the domain win over those for all domains. */
const poolsFor = (pools: readonly Pool[], mailClass: MailClass, domain: string): Pool[] => {
  const ofClass = pools.filter(({ account: { classes } }) => !classes || classes.includes(mailClass));
  const named = ofClass.filter(({ account: { domains } }) => domains?.includes(domain));
  return named.length > 0 ? named : ofClass.filter(({ account: { domains } }) => !domains);
};

const leastLoaded = (pools: readonly Pool[]): Pool | undefined =>
  pools.reduce<Pool | undefined>((best, pool) => (best && best.load() <= pool.load() ? best : pool), undefined);
