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
 * `list`: id. `isTracked`: opens and clicks are measured.
 */
export type MarketingClaim = FooterClaim & {
  contact: { n: number; id: string };
  message: number;
  run: number;
  list?: string;
  isTracked: boolean;
};

/** `until`: end of the lease, in Unix ms; later mails are not started. */
export type Batch = { until: number; sends: ClaimedSend[] };

export type SendResult = Claim & { sender: string; handover: Handover };

/** State of a claim after its lease. `not_started`: never will be. `lost`: started, result unknown. */
export type Fate = Claim & ({ state: "not_started" | "in_flight" | "lost" } | { state: "done"; result: SendResult });

/** `name`: passed because an object in production may not know it. */
export type MailerRpc = {
  /** Takes mails. Resolves after it reported all results. */
  deliver(name: string, batch: Batch): Promise<void>;
  reclaim(name: string, claims: readonly Claim[]): Promise<Fate[]>;
  /** Returns unstarted claims and results. Other claims keep their lease. */
  recall(name: string, claims: readonly Claim[]): Promise<Fate[]>;
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
