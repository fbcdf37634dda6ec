import type { Handover, Mail } from "./mail.ts";

/** A captured mail, as the list shows it. `at`: Unix ms of its capture. */
export type Captured = { n: number; id: string; team: string; from: string; to: string; subject: string; at: number };

export type InboxPage = { mails: Captured[]; total: number };

/** What the Inbox object answers to. */
export type InboxRpc = {
  /** Captures a mail once: a second capture of the same id changes nothing. */
  capture(mail: Mail): Promise<Handover>;
  /** Newest first; `before` is the `n` of the last one seen. */
  page(limit: number, before?: number): Promise<InboxPage>;
  read(id: string): Promise<(Mail & { at: number }) | undefined>;
};

/** The one object that holds the captured mail of all teams: it exists for people at their own machine. */
export const INBOX_NAME = "inbox";
