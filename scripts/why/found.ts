/** The displayed parts of `deliveryOf` in src/routes/admin/show.ts. */
export type Delivery = {
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
  /** The mail id. */
  result?: string;
  waitingFor?: { for: string; source?: string; behind?: string; variable?: string };
  /** The delivery is sent without the identity link after ten minutes. */
  waitsForTie?: true;
  why: string;
};
type Step = { at: string; text: string; delivery?: string };
export type Webhook = {
  id: string;
  acceptedAt: string;
  source: string;
  type: string;
  /** The provider's id of the webhook. */
  eventId: string;
  test: boolean;
  outcomes: { rule: string; outcome: string; clause?: string; message?: string; why: string }[];
  deliveries: Delivery[];
  why: string;
  /** The deliveries are for other people. */
  onlyNamed?: true;
  timeline?: Step[];
};
export type Suppression = { known: boolean; isSuppressed: boolean; contact: { email: string | null } | null };
export type Refused = { source: string; code: string; count: number };
export type Status = { dispatch: string; paused: { all: string | null; sources: Record<string, string> } };

export type Found = {
  person: string;
  kind: "person" | "webhook";
  webhooks: Webhook[];
  more: boolean;
  /** ISO 8601; null for an empty journal. */
  searchedTo: string | null;
  /** Undefined without an email address; text for an error. */
  suppression: Suppression | string | undefined;
  /** Deliveries of any person that wait for an identity link. */
  waiting: Delivery[];
  /** Refused webhooks, if no webhook was found. */
  refused: Refused[];
  status: Status;
  mails?: Mails;
  /** Null if no import said it. */
  consent?: Consent | null;
};

/** When and where the person agreed to get mail. `at`: ISO 8601. */
export type Consent = { at: string | null; source: string | null };

type Named = { id: string; name: string };

/** The displayed parts of `sends` in src/lib/contract/admin/email/sends.ts. */
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

/** Mails, newest first, or the reason why they are unknown. */
export type Mails = Mail[] | string;

export type Finding = { text: string; cure?: string };
