import type { Scheme, SignedRequest, VerifyContext } from "./lib/signature/scheme.ts";
import type { Api, FetchBackApi } from "./lib/webhook/provider.ts";

/** A verified webhook in the form that rules work on. Handlers read their provider's requests into this form. */
export type Webhook<Body = unknown> = {
  /** Name of the source, as in `POST /hooks/:source`. One provider may have several sources. */
  source: string;
  /**
   * The provider's id of the event, or a digest of the body where the provider sends no id. The same on every retry.
   */
  id: string;
  /** The provider's event type, for example `customer.subscription.updated`. */
  type: string;
  /** When the event happened at the provider, in Unix milliseconds. */
  occurredAt: number;
  /**
   * The parsed body. `type` is added or replaced where the provider's body has no `type`, or one that is not the event
   * type: rules are typed by it.
   */
  body: Body;
  /** True where the provider marks the event as test data, for example with `livemode: false`. */
  test?: boolean;
};

/** What a handler reads from a verified request: a webhook without the name of its source. */
export type Envelope<Body = unknown> = Omit<Webhook<Body>, "source"> & {
  /** True where `id` is a digest. It counts as a duplicate for 24 h only: equal bodies may be different events. */
  digest?: boolean;
  /**
   * Where the provider's id is not signed: a digest of the signed body, with which `id` begins, then a dot. A webhook with
   * the same digest is a duplicate, whatever follows the dot.
   */
  bodyDigest?: string;
};

/** A request as a handler gets it: the body as text, not parsed before the signature is verified. */
export type RawWebhook = SignedRequest;

/** An answer to the provider. `type` is `application/json` unless given. */
export type Reply = { status: number; body?: string; type?: "text/plain" | "application/json" };

/**
 * Format of the body; JSON unless a handler says otherwise. `json lines`: one object per line, a list, or one object.
 */
type Format = "json" | "form" | "json or form" | "json lines" | "token";

/** How one provider signs and shapes its webhooks. `src/handlers` has one file for each provider. */
export type Handler<Body = unknown> = {
  provider: string;
  /** For the table in docs/providers.md. */
  about: {
    title: string;
    /** Usual name of the variable that holds the secret. */
    secret: string;
    /** What the secret is, and where to find or enter it at the provider. */
    setUp: string;
    /**
     * True where only third parties document the signature. The handler may refuse valid webhooks, never accept forged
     * ones.
     */
    unconfirmed?: true;
  };
  /** How the provider signs; `verifyWith` checks it. */
  scheme: Scheme;
  /**
   * True where the user invents the secret. It may contain spaces, so several secrets must be written as a JSON list.
   */
  freeSecret?: true;
  format?: Format;
  /** Splits a batch into items; each becomes one webhook. An item's id must be the same on every retry of the batch. */
  items?(content: unknown): unknown[];
  /**
   * Reads the envelope of a verified webhook. Throws where the body is not this provider's.
   * @param content the parsed body, or one item of it
   * @param now Unix ms
   */
  read(request: RawWebhook, content: unknown, now: number): Promise<Envelope<Body>>;
  /**
   * Answers a provider's endpoint check (challenge or ping). A GET is not signed; the signature of a POST was verified
   * before. Undefined: the request is an ordinary webhook.
   */
  endpointCheck?: {
    method: "GET" | "POST";
    answer(
      request: RawWebhook,
      secrets: readonly string[],
      content: unknown,
      context: VerifyContext,
    ): Promise<Reply | undefined>;
  };
  /**
   * Orders event types with equal `occurredAt`: the higher rank is the later state. 0 where the order does not matter.
   */
  rank?(type: string): number;
  /**
   * Dotted paths of one-time secrets in the body. Their values are erased from the journal when all calls are settled.
   */
  secretPaths?: readonly string[];
  /** Answer to an accepted webhook, where the provider does not take the usual 202 with a receipt. */
  accepted?: Reply;
  /** Requests to the provider's own API, with a read-only key. */
  api?: ProviderApi;
};

/** The parts of a provider's API that the bridge calls. */
export type ProviderApi = {
  /** Default base URL; configuration may replace it. */
  baseUrl: string;
  /** Asks the provider for the person that a ref belongs to. */
  fetchBack?: FetchBackApi;
  backfill?: Backfill;
};

/** Reads objects that are older than the first webhook, and makes webhooks of them. */
export type Backfill = {
  /** Kinds of object in reading order. Kinds that link identifiers come first. */
  kinds: readonly string[];
  /**
   * Reads one page of objects of a kind.
   * @param since only objects created since then (Unix ms); undefined: all
   * @param after `next` of the previous page
   * @throws `ProviderError`
   */
  page(
    kind: string,
    since: number | undefined,
    after: string | undefined,
    api: Api,
  ): Promise<{ objects: unknown[]; next?: string }>;
  /**
   * The webhook for an object in its current state. Equal content gives an equal id. `occurredAt` is the object's last
   * change, as far as known, so that webhooks received since then count as newer. Throws where the object is of no
   * known kind.
   */
  envelope(object: unknown, now: number): Promise<Envelope>;
};
