import type { SendFeedback, Via } from "./feedback.ts";

/** `event`: `n` of its row. `id`: the `webhook-id`. `payload`: JSON, sent unchanged. */
export type Outgoing = { event: number; id: string; payload: string };

/** `secrets`: sealed; one signature each, two during a rotation. */
export type OutgoingBatch = { url: string; secrets: readonly string[]; events: readonly Outgoing[] };

/** `at`: Unix ms. `response`: first bytes of the body. `retryAfter`: ms. `error`: why no answer came. */
export type Attempted = { event: number; at: number; ms: number } & (
  | { status: number; response: string; retryAfter?: number }
  | { error: string }
);

/** Feedback of some teams. */
export type TeamFeedback = readonly (readonly [team: string, mails: readonly SendFeedback[]])[];

export type NotifierRpc = {
  /** Posts events and returns its attempts; may leave out later events. */
  deliver(batch: OutgoingBatch): Promise<Attempted[]>;
  /** Hands feedback to the teams, each by a call. Returns the number of known mails. */
  handOut(via: Via, teams: TeamFeedback): Promise<number>;
};

/** Teams of one event, which has a limit of calls: 50 on the free plan. */
export const TEAMS_AT_ONCE = 40;

/** Names of the Notifiers that hand out feedback. No Workspace calls them. */
export const handOutName = (part: number): string => `feedback:${part}`;

/** Each endpoint has a separate Notifier, so a slow one delays no other. */
export const notifierName = (team: string, endpoint: string): string => `${team}:${endpoint}`;
