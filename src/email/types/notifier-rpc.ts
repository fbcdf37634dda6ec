/** `event`: `n` of its row. `id`: the `webhook-id`. `payload`: JSON, sent unchanged. */
export type Outgoing = { event: number; id: string; payload: string };

/** `secrets`: one signature each; two during a rotation. */
export type OutgoingBatch = { url: string; secrets: readonly string[]; events: readonly Outgoing[] };

/** `at`: Unix ms. `response`: first bytes of the body. `retryAfter`: ms. `error`: why no answer came. */
export type Attempted = { event: number; at: number; ms: number } & (
  | { status: number; response: string; retryAfter?: number }
  | { error: string }
);

export type NotifierRpc = {
  /** Posts events and returns its attempts; may leave out later events. */
  deliver(batch: OutgoingBatch): Promise<Attempted[]>;
};

/** Each endpoint has a separate Notifier, so a slow one delays no other. */
export const notifierName = (team: string, endpoint: string): string => `${team}:${endpoint}`;
