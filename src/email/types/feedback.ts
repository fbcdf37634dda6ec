/**
 * What became of a mail after a relay took it.
 *
 * - `delivered`: the recipient's server took it. `delayed`: it has not arrived yet, and is still being tried.
 * - `answer`: an automatic answer, or a report without a reason, which may be one. It says nothing about delivery.
 * - It did not arrive. `hard`: the address does not exist. `soft`: for now, such as a full mailbox, or for a reason that is not
 *   known. `content`: its size or content. `policy`: the sender's reputation, or a rule of the receiver.
 * - `complaint`: the recipient reported it as spam.
 */
export type FeedbackKind = "delivered" | "delayed" | "answer" | "hard" | "soft" | "content" | "policy" | "complaint";

/**
 * What a bounce or a relay's webhook says about one recipient of a mail. `recipient`: as they name it; some name none. `code`:
 * enhanced status code (RFC 3463). `replyCode`: of SMTP. `message`: their words. `at`: Unix ms of the happening, if known.
 */
export type Feedback = {
  kind: FeedbackKind;
  recipient?: string;
  code?: string;
  replyCode?: number;
  message: string;
  at?: number;
};

/** Feedback about the mail in row `n`. */
export type SendFeedback = { n: number; feedback: readonly Feedback[] };

/** How feedback arrived: as a mail to the return path, or as a webhook of a relay. */
export type Via = "mail" | "ses" | "postmark" | "sendgrid" | "mailgun" | "resend";
