import type { MailClass } from "./mail-handover.ts";

/** `subject`: the team, and after a slash its campaign, wave, domain or share. `message` and `data` name no person. */
export type Problem = {
  kind: ProblemKind;
  subject: string;
  message: string;
  data: Readonly<Record<string, string | number>>;
};

export type ProblemKind =
  | "queue.stalled"
  | "campaign.held"
  | "bounces.wave"
  | "mails.unknown"
  | "database.large"
  | "domain.broken"
  | "team.failing";

/**
 * `oldestDue`: Unix ms of a mail that may leave now, else null. `silentSince`: Unix ms since a Mailer with claims gave no
 * result. `lastResult`: Unix ms of the newest since the object started, else null.
 */
export type QueueState = {
  oldestDue: number | null;
  claims: number;
  silentSince: number | null;
  lastResult: number | null;
};

/** `state`: queued, held or sending. `count` ends at 10 000 mails of a class. */
export type OpenMails = { mailClass: MailClass; state: string; count: number };

/** Results since the object started. `outcome`: as in the sender's answer. */
export type ResultCount = { mailClass: MailClass; sender: string; outcome: string; count: number };

/** A team's object about itself; times in Unix ms. `wasLost`: its alarm was missing or overdue, and is set again. */
export type Pulse = {
  at: number;
  schema: number;
  bytes: number;
  limitBytes: number;
  alarm: number | null;
  wasLost: boolean;
  queues: Record<MailClass, QueueState>;
  problems: readonly Problem[];
  results: readonly ResultCount[];
  open?: readonly OpenMails[];
};

/** `counts`: with numbers of open mails. `write`: also tries a write. */
export type PulseRequest = { counts?: true; write?: true };

/** Answer of a touched team: its pulse, null for a team without data, or why there is none. */
export type Touched = { team: string } & ({ pulse: Pulse | null } | { problem: string });
