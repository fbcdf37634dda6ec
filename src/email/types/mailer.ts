import type { Handover, MailClass } from "./mail.ts";

/** Names one attempt of one mail: `n` of its row in `sends`, and the number of the attempt. */
export type Claim = { n: number; attempt: number };

/**
 * A mail that a Mailer has to hand over. `values`: JSON of the variables' values. `date`: of the mail, in Unix ms. `withheld`: suppressed
 * addresses that get no copy. `preview`: a preview, which has no copies. `attachments`: how many it has; the Workspace has them.
 * `marketing`: of marketing mail. `footer`: what a preview of marketing mail has in its footer.
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

/** What the settings of a team say in the footer of marketing mail. `team`: its name. `footer`: lines above it. */
export type FooterClaim = { team: string; postalAddress?: string; footer?: string };

/**
 * What the links and the footer of a marketing mail need. `contact`: row and id. `message`: n of its row. `run`: number of the contact's passage
 * through a workflow, else 0. `list`: id of the mailing list. `isTracked`: opens and clicks are measured.
 */
export type MarketingClaim = FooterClaim & {
  contact: { n: number; id: string };
  message: number;
  run: number;
  list?: string;
  isTracked: boolean;
};

/** Claimed mails. `until`: end of their lease, in Unix ms; a mail that has not been started by then is not started. */
export type Batch = { until: number; sends: ClaimedSend[] };

/** The result of an attempt. `sender`: name of the sender. */
export type SendResult = Claim & { sender: string; handover: Handover };

/**
 * What a Mailer knows about a claim whose lease is over. `not_started`: the Mailer will not start it either. `lost`: it was
 * started, and nothing is known about its result.
 */
export type Fate = Claim & ({ state: "not_started" | "in_flight" | "lost" } | { state: "done"; result: SendResult });

/** Methods of a Mailer object. `name`: its own, because an object in production may not know it. */
export type MailerRpc = {
  /** Takes mails. Resolves when it has reported the results of all of them. */
  deliver(name: string, batch: Batch): Promise<void>;
  /** What became of claims whose lease is over. */
  reclaim(name: string, claims: readonly Claim[]): Promise<Fate[]>;
  /** Gives claims back whose hand-over has not begun, and results. The others are not in the answer, and keep their lease. */
  recall(name: string, claims: readonly Claim[]): Promise<Fate[]>;
};

/** Name of the Mailer object with this number. Slugs of teams have no colon. */
export const mailerName = (team: string, mailClass: MailClass, number: number): string =>
  `${team}:${mailClass}:${number}`;

/** The team and class that a Mailer works for. */
export const readMailerName = (name: string): { team: string; mailClass: MailClass } => {
  const [team = "", mailClass] = name.split(":");
  return { team, mailClass: mailClass === "marketing" ? "marketing" : "transactional" };
};

/**
 * What a Mailer needs to sign mail from a domain. `sealedKey`: the private key, encrypted for `dkimKeyOwner`. `envelope`: the
 * domain of return paths; without one, mail has its From address as return path.
 */
export type SigningKey = { selector: string; sealedKey: string; envelope?: string };

/** The owner that a private DKIM key is encrypted for. Each key has a selector of its own. */
export const dkimKeyOwner = (team: string, selector: string): string => `${team} ${selector}`;
