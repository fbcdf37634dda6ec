/** The parts of a call that are shown here. The whole is `callOf` in src/routes/admin/show.ts. */
export type Call = {
  id: string;
  rule: string;
  action: string;
  state: string;
  template?: string;
  eventName?: string;
  contact: { email?: string; userId?: string; ref?: string };
  attempts: { status?: number }[];
  acts?: { act: string }[];
  dataVariables?: Record<string, unknown>;
  message?: string;
  /** What the host answered: the id of the mail. */
  result?: string;
  waitingFor?: { for: string; source?: string; behind?: string };
  /** The call is sent without the identity link after ten minutes. */
  waitsForTie?: true;
  why: string;
};
type Step = { at: string; text: string; call?: string };
export type Webhook = {
  id: string;
  acceptedAt: string;
  source: string;
  type: string;
  /** The provider's own id of the webhook. */
  eventId: string;
  test: boolean;
  outcomes: { rule: string; outcome: string; clause?: string; message?: string; why: string }[];
  calls: Call[];
  why: string;
  /** The body names this person, but its calls are for other people. */
  onlyNamed?: true;
  timeline?: Step[];
};
export type Suppression = { known: boolean; isSuppressed: boolean; contact: { email: string | null } | null };
export type Refused = { source: string; code: string; count: number };
export type Status = { delivery: string; paused: { all: string | null; sources: Record<string, string> } };

/** Everything the bridge answered about a person. */
export type Found = {
  /** What was asked for: an identifier of a person, or the id of a webhook or call. */
  person: string;
  /** `webhook`: one webhook, or one call of it, was asked for. */
  kind: "person" | "webhook";
  webhooks: Webhook[];
  /** There are more webhooks than the limit. */
  more: boolean;
  /** ISO 8601; null if the journal is empty. */
  searchedTo: string | null;
  /** Undefined without an email address; an error message if the email service gave no answer. */
  suppression: Suppression | string | undefined;
  /** A few calls that wait for an identity link, of any person: one of them may be for this person. */
  waiting: Call[];
  /** Webhooks that the door refused in that time, if no webhook was found: one of them may have been for this person. */
  refused: Refused[];
  status: Status;
  /** What became of the mails; undefined where no email service of Mailspan is known. */
  mails?: Mails;
};

type Named = { id: string; name: string };

/** The parts of a send that are shown here. The whole is `sends` in src/lib/contract/admin/email/sends.ts. */
export type Mail = {
  id: string;
  to: string;
  state: string;
  meaning: string;
  preview: boolean;
  template: Named | null;
  campaign: Named | null;
  workflow: Named | null;
  acceptedAt: string;
  nextAttemptAt: string | null;
  messageId: string;
  suppressed: { since: string; reason: string; meaning: string } | null;
  canRetry: boolean;
  whyNot: string | null;
  story: { at: string; what: string; text: string }[];
};

/** What became of mails after the host accepted them, newest first. A text: why it is unknown. */
export type Mails = Mail[] | string;

/** A sentence of the verdict, and what to do about it where something is wrong. */
export type Finding = { text: string; cure?: string };
