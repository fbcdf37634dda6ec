import type { Scheme, SignedRequest, VerifyContext } from "./lib/signature/scheme.ts";
import type { Api, FetchBackApi, ThinEvents } from "./lib/webhook/provider.ts";

/** A verified webhook as input of rules. */
export type Webhook<Body = unknown> = {
  source: string;
  /** The provider's id, or a digest of the body. Equal on every retry. */
  id: string;
  type: string;
  /** Unix ms. */
  occurredAt: number;
  /** The parsed body. `type` is always the event type. */
  body: Body;
  /** True for test data, such as `livemode: false`. */
  test?: boolean;
};

/** A webhook without the source name. */
export type Envelope<Body = unknown> = Omit<Webhook<Body>, "source"> & {
  /** A digest is a duplicate for 24 h only: equal bodies may be different events. */
  digest?: boolean;
  /** Digest of the signed body, if the id is unsigned; `id` begins with it and a dot. */
  bodyDigest?: string;
  /** Milliseconds for which the same body under another id is a repeat. Default: without end. */
  repeatsFor?: number;
};

/** The body is unparsed until the signature is verified. */
export type RawWebhook = SignedRequest;

/** A response to the provider. Default `type`: `application/json`. */
export type Reply = { status: number; body?: string; type?: "text/plain" | "application/json" };

/** `json lines`: one object per line, a list, or one object. */
type Format = "json" | "form" | "json or form" | "json lines" | "token";

/** A provider's signature and webhook format. */
export type Handler<Body = unknown> = {
  provider: string;
  /** For docs/providers.md. */
  about: {
    title: string;
    /** Usual variable name. */
    secret: string;
    /** The secret's kind and place at the provider. */
    setUp: string;
    /** Only third parties document the signature. Valid webhooks may be refused, never forged ones accepted. */
    unconfirmed?: true;
  };
  scheme: Scheme;
  /** The user invents the secret, so several need a JSON list. */
  freeSecret?: true;
  format?: Format;
  /** Splits a batch. An item's id must be equal on every retry. */
  items?(content: unknown): unknown[];
  /**
   * Reads the envelope. Throws on another provider's body.
   * @param now Unix ms
   */
  read(request: RawWebhook, content: unknown, now: number): Promise<Envelope<Body>>;
  /** Responds to a provider's endpoint check. A GET is unsigned. Undefined: an ordinary webhook. */
  endpointCheck?: {
    method: "GET" | "POST";
    /** The check has no signature. Its answer must be of no use to a stranger. */
    unsigned?: true;
    answer(
      request: RawWebhook,
      secrets: readonly string[],
      content: unknown,
      context: VerifyContext,
    ): Promise<Reply | undefined>;
  };
  /** Orders event types with equal `occurredAt`: the higher rank is later. */
  rank?(type: string): number;
  /** An event type that the provider takes for sent mail when it is accepted. Without a mail it is refused. */
  mail?: string;
  /** Dotted paths of one-time secrets, erased when all deliveries are settled. */
  secretPaths?: readonly string[];
  /** Replaces the usual 202 with a receipt. */
  accepted?: Reply;
  /** Uses a read-only key. */
  api?: ProviderApi;
};

export type ProviderApi = {
  /** Configuration may replace it. */
  baseUrl: string;
  fetchBack?: FetchBackApi;
  thinEvents?: ThinEvents;
  backfill?: Backfill;
};

/** Turns objects older than the first webhook into webhooks. */
export type Backfill = {
  /** Reading order: kinds with links first. */
  kinds: readonly string[];
  /**
   * @param since creation in Unix ms; undefined: all
   * @param after `next` of the previous page
   * @throws `ProviderError`
   */
  page(
    kind: string,
    since: number | undefined,
    after: string | undefined,
    api: Api,
  ): Promise<{ objects: unknown[]; next?: string }>;
  /** Builds an object's webhook. Equal content gives an equal id. Throws on unknown kinds. */
  envelope(object: unknown, now: number): Promise<Envelope>;
};
