/** An event for one endpoint. `event`: `n` of its row. `id`: the `webhook-id`. `payload`: JSON, sent as it is. */
export type Outgoing = { event: number; id: string; payload: string };

/** `secrets`: each makes one signature; two while a secret is being rotated. */
export type OutgoingBatch = { url: string; secrets: readonly string[]; events: readonly Outgoing[] };

/** One attempt. `at`: Unix ms. `response`: the first bytes of the body. `retryAfter`: ms. `error`: no answer came, and why. */
export type Attempted = { event: number; at: number; ms: number } & (
  | { status: number; response: string; retryAfter?: number }
  | { error: string }
);

/** Methods of a Notifier object. */
export type NotifierRpc = {
  /** Posts events to an endpoint. Returns the attempts that it made; it may leave the later events out. */
  deliver(batch: OutgoingBatch): Promise<Attempted[]>;
};

/** Name of the Notifier of one endpoint: each has its own, so that a slow endpoint delays no other. */
export const notifierName = (team: string, endpoint: string): string => `${team}:${endpoint}`;
