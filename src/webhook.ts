import type { Outside, Scheme, SignedRequest } from "./lib/signature/scheme.ts";
import type { Api, FetchBack } from "./lib/webhook/provider.ts";

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
  /**
   * The parsed body. Where the provider's own `type` is absent or not the event's, `type` is added, so that rules can
   * tell.
   */
  body: Body;
  /** True where the provider marks it as test data (`livemode: false` and its like). */
  test?: boolean;
};

/** What a handler reads out of a verified body: a webhook without the name of its source. */
export type Envelope<Body = unknown> = Omit<Webhook<Body>, "source"> & {
  /** True when `id` is a digest, which is unique for 24 h only (a provider may well say the same thing twice). */
  digest?: boolean;
};

/** A request as a handler sees it: the raw bytes as text, never parsed before the signature is content. */
export type RawWebhook = SignedRequest;

/** What a provider wants to hear. Without `type`, a body is JSON. */
export type Reply = { status: number; body?: string; type?: "text/plain" | "application/json" };

/** How the body is written; JSON unless a handler says otherwise. `json lines`: also a list or a single object. */
type Format = "json" | "form" | "json or form" | "json lines" | "token";

/** How one provider signs and shapes its webhooks. One file in `src/handlers` each. */
export type Handler<Body = unknown> = {
  provider: string;
  /** For the table in docs/providers.md. */
  about: {
    title: string;
    /** Usual name of the variable with the secret. */
    secret: string;
    /** What the secret is and where to find or enter it at the provider. */
    setUp: string;
    /** True where only third parties tell how it signs. It may refuse what is good, never accept what is not. */
    unconfirmed?: true;
  };
  /** How it proves its webhooks; `verifyWith` checks. */
  scheme: Scheme;
  /** True where people make up the secret: it may hold spaces, so that several are written as a JSON list only. */
  freeSecret?: true;
  format?: Format;
  /** Splits the body of a batch into items, one webhook each; an item's id is stable over retries of the batch. */
  items?(content: unknown): unknown[];
  /**
   * Reads the envelope of a verified webhook; `content` is the parsed body or item. Throws where it is not this
   * provider's.
   */
  read(request: RawWebhook, content: unknown, now: number): Promise<Envelope<Body>>;
  /**
   * Answers what is no webhook but a question whether somebody is there. On GET nothing is signed, on POST the
   * signature was good. Undefined: it was no such question.
   */
  handshake?: {
    method: "GET" | "POST";
    answer(
      request: RawWebhook,
      secrets: readonly string[],
      content: unknown,
      outside: Outside,
    ): Promise<Reply | undefined>;
  };
  /** Of two types in the same second the higher rank is the later state; 0 where it does not matter. */
  rank?(type: string): number;
  /**
   * Dotted paths of one-time secrets in the body; their values are erased from the journal once every call has settled.
   */
  secretPaths?: readonly string[];
  /** The answer for an accepted webhook where the provider needs other than 202 and the receipt. */
  accepted?: Reply;
  /** What can be asked of the provider itself, with a key that may read. */
  api?: ProviderApi;
};

/** One provider's API, as far as it is asked. */
export type ProviderApi = {
  /** Where it is unless configured otherwise. */
  baseUrl: string;
  /** Whose a ref is. */
  fetchBack?: FetchBack;
  backfill?: Backfill;
};

/** How objects that were there before the first webhook are read, and made into webhooks. */
export type Backfill = {
  /** What kinds of object there are, in the order in which they are read: who is who comes first. */
  kinds: readonly string[];
  /**
   * One page of objects of a kind that were created since (Unix ms; undefined: ever).
   * @param after `next` of the page before
   * @throws `ProviderError`
   */
  page(
    kind: string,
    since: number | undefined,
    after: string | undefined,
    api: Api,
  ): Promise<{ objects: unknown[]; next?: string }>;
  /**
   * The webhook that would have told of an object as it is. Its id is the same for the same content; it happened when
   * the object last changed, as far as that is known, so that webhooks since then are newer. Throws where it is no such
   * object.
   */
  envelope(object: unknown, now: number): Promise<Envelope>;
};
