/**
 * Result of a mail after a mail provider took it.
 *
 * - `delivered`: the recipient's server took it. `delayed`: still being tried.
 * - `answer`: automatic answer, or a report without a reason. It says nothing about delivery.
 * - `hard`: the address does not exist. `soft`: temporary or unknown reason. `content`: size or content.
 * - `policy`: sender reputation or a receiver rule. `complaint`: reported as spam.
 */
export type FeedbackKind = "delivered" | "delayed" | "answer" | "hard" | "soft" | "content" | "policy" | "complaint";

/**
 * Feedback about one recipient. `code`: enhanced status code (RFC 3463). `replyCode`: of SMTP. `at`: Unix ms, if
 * known.
 */
export type Feedback = {
  kind: FeedbackKind;
  recipient?: string;
  code?: string;
  replyCode?: number;
  message: string;
  at?: number;
};

export type SendFeedback = { n: number; feedback: readonly Feedback[] };

/** A mail by the id that its mail provider gave it, and the feedback about it. */
export type TakenMail = { recipient: string; reply: string; feedback: Feedback };

/** Source of feedback: a mail to the return path, a queue of Cloudflare, or a webhook. */
export type Via = "mail" | "cloudflare" | "ses" | "postmark" | "sendgrid" | "mailgun" | "resend";
