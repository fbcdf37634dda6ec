import type { Names } from "../../lib/names/finder.ts";
import type { Handover, Mail } from "./mail-handover.ts";

/** `at`: capture time, in Unix ms. */
export type Captured = { n: number; id: string; team: string; from: string; to: string; subject: string; at: number };

/** Captured mail for display: Unicode header, attachments without content. `bcc` is in no header. */
export type CapturedMail = {
  id: string;
  team: string;
  from: string;
  to: string;
  bcc: string[];
  subject: string;
  html: string;
  text: string;
  headers: Record<string, string>;
  /** `size`: in bytes. */
  attachments: { filename: string; contentType: string; size: number }[];
  /** Unix ms. */
  at: number;
};

export type InboxPage = { mails: Captured[]; total: number };

export type InboxRpc = {
  /** Captures a mail once per id. */
  capture(mail: Mail): Promise<Handover>;
  /** Newest first. `before`: last `n` of the previous page. */
  page(limit: number, before?: number): Promise<InboxPage>;
  /** A dry run only counts. */
  erase(team: string, names: Names, dryRun: boolean): Promise<number>;
  read(id: string): Promise<CapturedMail | undefined>;
};

/** Only one Inbox object exists, for all teams. */
export const INBOX_NAME = "inbox";
