import type { Alert } from "../alerts/open-alerts.ts";
import { addressOf } from "../audit/client-address.ts";
import { MINUTE_MS } from "../util/dates.ts";

/** Requests with a wrong ADMIN_TOKEN from one address in a minute (Unix minutes). */
export type WrongTokens = { address: string; minute: number; count: number };

/** Wrong tokens of one address in a minute that raise an alert. */
const MANY = 20;
/** Milliseconds between two reports of an isolate. */
const REPORT_EVERY = 5_000;
/** Further addresses share one count. */
const MAX_ADDRESSES = 1_000;
const OTHERS = "(others)";

const createCounts = () => {
  const counts = new Map<string, WrongTokens>();
  return (address: string, minute: number, count: number): WrongTokens => {
    const name = counts.has(address) || counts.size < MAX_ADDRESSES ? address : OTHERS;
    const known = counts.get(name);
    const sum = { address: name, minute, count: count + (known?.minute === minute ? known.count : 0) };
    counts.set(name, sum);
    if (counts.size >= MAX_ADDRESSES)
      for (const [other, { minute: of }] of counts) if (of < minute) counts.delete(other);
    return sum;
  };
};

/** Counts wrong tokens of an isolate, so that a flood of them asks the object for little. */
export const createWrongTokens = () => {
  const counted = createCounts();
  let unreported = new Map<string, WrongTokens>();
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    /** Counts one, and returns what has to be reported now. `now`: Unix ms. */
    add: (request: Request, now: number): WrongTokens[] => {
      const minute = Math.floor(now / MINUTE_MS);
      const { address, count } = counted(addressOf(request), minute, 1);
      const key = `${address} ${minute}`;
      unreported.set(key, { address, minute, count: (unreported.get(key)?.count ?? 0) + 1 });
      if (Math.abs(now - reportedAt) < REPORT_EVERY && count !== MANY) return [];
      const report = [...unreported.values()];
      unreported = new Map();
      reportedAt = now;
      return report;
    },
  };
};

/** Sums the reports of all isolates, and returns the alerts about addresses with many wrong tokens. */
export const createTokenWatch = () => {
  const counted = createCounts();
  return (reports: readonly WrongTokens[]): Omit<Alert, "kind">[] =>
    reports.flatMap(({ address, minute, count }) => {
      const sum = counted(address, minute, count);
      if (sum.count < MANY) return [];
      const message = `${sum.count} requests to /admin had a wrong ADMIN_TOKEN within a minute, from the address ${sum.address}. The right token is not locked out. If the requests are not yours, someone tries to guess it.`;
      return [{ subject: sum.address, message, data: { address: sum.address, refused: sum.count } }];
    });
};
