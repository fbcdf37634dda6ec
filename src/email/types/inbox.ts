import type { Names } from "../../lib/names/finder.ts";
import type { Handover, Mail } from "./mail.ts";

/** A captured mail in the list. `at`: time of its capture, in Unix ms. */
export type Captured = { n: number; id: string; team: string; from: string; to: string; subject: string; at: number };

/**
 * A captured mail, for people: addresses without names, the header in Unicode, attachments without their content. `bcc` is in
 * no header.
 */
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

/** Methods of the Inbox object. */
export type InboxRpc = {
  /** Captures a mail once: a second capture of the same id changes nothing. */
  capture(mail: Mail): Promise<Handover>;
  /** One page, newest first. `before`: `n` of the last mail of the page before. */
  page(limit: number, before?: number): Promise<InboxPage>;
  /** Deletes mail of a team that names a person, as its recipient or anywhere else. Returns how many; a dry run only counts. */
  forget(team: string, names: Names, dryRun: boolean): Promise<number>;
  read(id: string): Promise<CapturedMail | undefined>;
};

/** Name of the only Inbox object, which holds the captured mail of all teams. */
export const INBOX_NAME = "inbox";
