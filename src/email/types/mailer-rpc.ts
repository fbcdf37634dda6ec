import type { Handover, MailClass } from "./mail-handover.ts";

/** One attempt of one mail. `n`: row in `sends`. */
export type Claim = { n: number; attempt: number };

/**
 * `values`: JSON of variables. `date`: Unix ms. `withheld`: suppressed copy addresses.
 * `preview`: has no copies. `attachments`: their number. `footer`: of a marketing preview.
 */
export type ClaimedSend = Claim & {
  id: string;
  revision: number;
  recipient: string;
  messageId: string;
  values: string;
  date: number;
  withheld: readonly string[];
  preview: boolean;
  attachments: number;
  marketing?: MarketingClaim;
  footer?: FooterClaim;
};

/** `team`: its name. `footer`: lines above it. */
export type FooterClaim = { team: string; postalAddress?: string; footer?: string };

/**
 * `contact`: row and id. `message`: n of its row. `run`: number of the workflow run, else 0.
 * `list`: id. `origin`: id of its campaign or workflow. `isTracked`: opens and clicks are measured.
 */
export type MarketingClaim = FooterClaim & {
  contact: { n: number; id: string };
  message: number;
  run: number;
  list?: string;
  origin?: string;
  isTracked: boolean;
};

export type SendResult = Claim & { sender: string; handover: Handover };

/**
 * One order of a Workspace to a Mailer. `stamp`: epoch and number, which only grow; a Mailer refuses an older one.
 * `until`: Unix ms; no mail starts later. `known`: all claims that the Mailer should have. `wait`: ms for results.
 */
export type Order = {
  stamp: readonly [epoch: number, number: number];
  until: number;
  sends: readonly ClaimedSend[];
  known: readonly Claim[];
  wait: number;
};

/**
 * `superseded`: the newest stamp, which is not that of the order. `lost`: may have started, result unknown.
 * `never`: certainly did not start and never will. `rows`: written by the Mailer since its last answer. `noted`: its
 * note has results, perhaps with addresses. An order that names no claims clears them.
 */
export type Answer =
  | { superseded: Order["stamp"] }
  | { results: readonly SendResult[]; lost: readonly Claim[]; never: readonly Claim[]; rows?: number; noted?: true };

/** `name`: passed because an object in production may not know it. */
export type MailerRpc = {
  exchange(name: string, order: Order): Promise<Answer>;
  /** Returns the claims that will never start; they were waiting. */
  recall(name: string, claims: readonly Claim[]): Promise<Claim[]>;
};

/** Slugs of teams have no colon. */
export const mailerName = (team: string, mailClass: MailClass, number: number): string =>
  `${team}:${mailClass}:${number}`;

export const readMailerName = (name: string): { team: string; mailClass: MailClass } => {
  const [team = "", mailClass] = name.split(":");
  return { team, mailClass: mailClass === "marketing" ? "marketing" : "transactional" };
};

/** `sealedKey`: encrypted for `dkimKeyOwner`. `envelope`: return path domain; default is the From address. */
export type SigningKey = { selector: string; sealedKey: string; envelope?: string };

/** Owner for encrypting a DKIM key. Each key has a unique selector. */
export const dkimKeyOwner = (team: string, selector: string): string => `${team} ${selector}`;
