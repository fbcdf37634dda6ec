import type { ObjectName, PlannedDelivery, PlannedLink, RuleOutcome } from "../../rules/types.ts";

export const lanes = ["urgent", "transactional", "event", "contact", "backfill"] as const;
export type Lane = (typeof lanes)[number];

/** `waiting` and `sending` are open. The journal stores both as `waiting`. */
export type DeliveryState = "waiting" | "sending" | "done" | "replaced" | "skipped" | "failed" | "undecided";

/** One attempt of a delivery. Missing fields are unknown. */
export type Attempt = {
  /** Unix ms. */
  at: number;
  /** Milliseconds. */
  ms?: number;
  status?: number;
  message?: string;
  /** Milliseconds until the next attempt. */
  wait?: number;
};

/** Values of a former address's contact. */
export type FormerValues = {
  properties: Record<string, string | number | boolean | null>;
  mailingLists: Record<string, boolean>;
};

/** A delivery stored in its webhook's row. */
export type Delivery = PlannedDelivery & {
  /** Idempotency-Key, the same for every attempt. */
  key: string;
  /** Set if it differs from the action's lane. */
  lane?: Lane;
  state: DeliveryState;
  /** Unix ms. */
  due: number;
  attempts: Attempt[];
  /** Attempts with an outcome, including refused ones. A claim with this count was interrupted. */
  attemptCount?: number;
  /** The only identifier sent after a conflict. A removal sends the user id, then the address. */
  only?: "userId" | "email";
  /** Set when the email service has a contact that no webhook named. */
  exists?: true;
  /**
   * State of a move. `found`: the former contact's values; `own`: the user's value names; `moved`: the user has them;
   * `id`: the former contact's id; `checked`: attempts after which it existed. `takes`: the address is the user's newest
   * one, so the user's contact gets it after the deletion (`free`). `waits`: since when another user's contact keeps it,
   * and until the next question (Unix ms).
   */
  former?: {
    email: string;
    watermarks: Record<string, readonly (number | undefined)[]>;
    found?: FormerValues;
    own?: string[];
    takes?: true;
    free?: true;
    waits?: { since: number; until: number };
    /** The user has no other contact. */
    isOnly?: true;
    moved?: true;
    id?: string;
    checked?: number;
  };
  /** Writes what is stored of the contact's customers. Null in `properties`: what a customer took along. */
  restates?: true;
  /** The identifiers of the last request that may have arrived, where `contact` is a ref alone. */
  sentTo?: { email?: string; userId?: string };
  /** Set when `ifStored` held: the stored values that the delivery has. */
  had?: Record<string, string | number | boolean | null>;
  /** Set for a repeat of request `index`, which may arrive until `at` (Unix ms). */
  repeats?: { index: number; at: number };
  /** Id of the webhook with the shared request. */
  sentWith?: string;
  /** Unix ms of the first unknown outcome. Retries end after 23 h (keyed) or 72 h. */
  unknownSince?: number;
  /** Consecutive refusals for rate limit or key, or by the platform; `since` in Unix ms. */
  refusals?: { count: number; since: number };
  /** The provider's response about the contact. */
  asked?: string;
  /** Reason of the state: the email service's message if available. */
  message?: string;
  result?: string;
  settledAt?: number;
  /** Number of the replay; absent if planned at arrival. */
  replay?: number;
  /** Unix ms of the replay, or of the repeated delivery's end. */
  plannedAt?: number;
  /** Oldest first. */
  acts?: Act[];
};

/** An operator's action and the delivery's previous state. */
export type Act = {
  act: "retry" | "discard" | "send again" | "replay" | "erase";
  /** Unix ms. */
  at: number;
  by?: string;
  state: DeliveryState;
  message?: string;
  /** The replaced key, and since when its outcome is unknown (Unix ms). */
  key?: string;
  unknownSince?: number;
};

/** A verified webhook with its planned deliveries. */
export type PlannedWebhook = {
  source: string;
  eventId: string;
  /** True when `eventId` is a digest, unique for 24 h only. */
  digest: boolean;
  /** Set when the provider's id is unsigned. `eventId` is then `<bodyDigest>.<id of the provider>`. */
  bodyDigest?: string;
  /** Milliseconds for which the same body is a repeat. */
  repeatsFor?: number;
  type: string;
  occurredAt: number;
  rank: number;
  test: boolean;
  raw: string;
  deliveries: (PlannedDelivery & { key: string })[];
  outcomes: RuleOutcome[];
  links: PlannedLink[];
  names?: readonly ObjectName[];
  /** Overrides each action's lane. */
  lane?: Lane;
  /** Reason why all deliveries become `skipped`: test data or plan only. */
  skip?: string;
  secretPaths: readonly string[];
};

/** An event that was fetched for a thin webhook. `raw`: its text. */
export type FetchedWebhook = Pick<PlannedWebhook, "source" | "eventId" | "test" | "type" | "occurredAt" | "raw">;

export type Receipt = { id: string; duplicate: boolean; deliveries: number };

/** Nothing was journaled because of a backlog. */
export type Overload = { message: string /** Seconds. */; retryAfter: number };

/** One receipt per webhook, or an overload. */
export type AcceptResult = { receipts: Receipt[] } | { overload: Overload };

export type Journaled = {
  seq: number;
  source: string;
  eventId: string;
  type: string;
  occurredAt: number;
  test: boolean;
  /** Empty after a purge; see `whyErased`. */
  body: string;
  outcomes: KeptOutcome[];
  deliveries: Delivery[];
  rank: number;
  secretPaths: readonly string[];
  /** The row is damaged, and nothing of it is sent. */
  unreadable?: true;
};

/** A rule's result; `replay` and `at` (Unix ms) if a replay changed it. */
export type KeptOutcome = RuleOutcome & { replay?: number; at?: number };

export type DeliveryRef = { seq: number; index: number };
