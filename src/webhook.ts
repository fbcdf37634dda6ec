/** A verified webhook: what every handler reads its provider's envelope into, and what rules work on. */
export type Webhook<Body = unknown> = {
  /** Name of the source as in `POST /hooks/:source`; one provider may have several. */
  source: string;
  /** The provider's own id of the event, or a digest of the body where it gives none. Stable over its retries. */
  id: string;
  /** The provider's event type, for example `customer.subscription.updated`. */
  type: string;
  /** When it happened at the provider, in Unix milliseconds. */
  occurredAt: number;
  /** The parsed body. */
  body: Body;
  /** True where the provider marks it as test data (`livemode: false` and its like). */
  test?: boolean;
};

/** What a handler reads out of a verified body: a webhook without the name of its source. */
export type Envelope<Body = unknown> = Omit<Webhook<Body>, "source"> & {
  /** True when `id` is a digest, which is unique for 24 h only (a provider may well say the same thing twice). */
  digest?: boolean;
};

/** A request as a handler sees it: the raw bytes as text, never parsed before `verify` is content. */
export type RawWebhook = { headers: Headers; raw: string };

/** Why the door refused a webhook. `message` names what to mend and holds nothing of the secret. */
export type Refusal = {
  code: "missing_signature" | "invalid_signature" | "stale_timestamp" | "source_not_configured";
  message: string;
};

/** How one provider signs and shapes its webhooks. One file in `src/handlers` each. */
export type Handler<Body = unknown> = {
  provider: string;
  /** Checks the signature over the raw body. `secrets`: all that are valid now (rotation). `now`: Unix ms. */
  verify(request: RawWebhook, secrets: readonly string[], now: number): Promise<Refusal | undefined>;
  /** Reads the envelope of a verified webhook; `json` is the parsed body. Throws on a body that is not this provider's. */
  read(request: RawWebhook, json: unknown, now: number): Promise<Envelope<Body>>;
  /** Of two types in the same second the higher rank is the later state; 0 where it does not matter. */
  rank?(type: string): number;
  /** Dotted paths of one-time secrets in the body; their values are erased from the journal once every call has settled. */
  secretPaths?: readonly string[];
  /** Status of the answer for an accepted webhook where the provider needs other than 202. */
  acceptedStatus?: 200;
};
