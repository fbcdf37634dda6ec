import type { Link, ObjectName, PlannedCall, RuleOutcome } from "../../rules/types.ts";

/** Lanes in order of importance. */
export const lanes = ["urgent", "transactional", "event", "contact", "backfill"] as const;
export type Lane = (typeof lanes)[number];

/**
 * `waiting` and `sending` are open; the others are settled until an operator acts. The journal stores `waiting` for both
 * open states: which calls are in flight is known from memory and from the claims.
 */
export type CallState = "waiting" | "sending" | "done" | "superseded" | "skipped" | "dead" | "parked";

/** One attempt of a call, stored when its outcome is known, or when a claim without an outcome is found. Missing fields are unknown. */
export type Attempt = {
  /** Unix ms of the start. */
  at: number;
  /** Duration in ms. */
  ms?: number;
  /** HTTP status of the host. */
  status?: number;
  message?: string;
  /** Ms until the next attempt. */
  wait?: number;
};

/** What a contact with a former address had at the host. */
export type FormerValues = {
  properties: Record<string, string | number | boolean | null>;
  mailingLists: Record<string, boolean>;
};

/** A call as it is stored, inside its webhook's row. */
export type Call = PlannedCall & {
  /** Idempotency-Key, the same for every attempt. */
  key: string;
  /** Set when it is not the lane of its action. */
  lane?: Lane;
  state: CallState;
  /** Unix ms before which it is not sent. */
  due: number;
  attempts: Attempt[];
  /** Attempts with an outcome, refused ones too. A claim with this count was interrupted; with a lower one it was settled. */
  tries?: number;
  /**
   * Set after a conflict at the host, which has one contact for the user id and another for the address: the only
   * identifier that is sent. A call that removes the person is sent with the user id first, then with the address.
   */
  only?: "userId" | "email";
  /** Set once the host has said that it has the contact of a person whom no webhook has named. */
  exists?: true;
  /**
   * Set for a call that moves the values of a former address to its user. `marks`: the watermarks of these values.
   * `found`: what the contact with that address has, and `own`: the names of the values of the user, once the host has
   * said it. `moved`: the user has the values now. `id`: the host's id of the contact with that address. `checked`: after how
   * many attempts the host had it still.
   */
  former?: {
    email: string;
    marks: Record<string, readonly (number | undefined)[]>;
    found?: FormerValues;
    own?: string[];
    /** The host has no other contact of the user. */
    isOnly?: true;
    moved?: true;
    id?: string;
    checked?: number;
  };
  /**
   * Set for a call that is made once more, because an earlier request may reach the host after it until `at` (Unix ms).
   * `index`: its first one.
   */
  repeats?: { index: number; at: number };
  /** Id of the webhook whose update was sent in the same request. */
  sentWith?: string;
  /** Unix ms of the first attempt with an unknown outcome. Retries end 23 h (keyed) or 72 h after it. */
  unknownSince?: number;
  /** Consecutive refusals about the rate limit or the key, and when the first of them was, Unix ms. */
  refusals?: { count: number; since: number };
  /** The answer of the provider when it was asked for the contact. */
  asked?: string;
  /** Why the call is in its state: the host's own message if there is one. */
  message?: string;
  /** The id that the host returned. */
  result?: string;
  settledAt?: number;
  /** Number of the replay that planned the call; absent if it was planned when the webhook arrived. */
  replay?: number;
  /** When that replay ran, or when the call it repeats was done, Unix ms. */
  plannedAt?: number;
  /** What operators did about it, oldest first. */
  acts?: Act[];
};

/** Something an operator did about a call, and the state of the call before. */
export type Act = {
  act: "retry" | "discard" | "send again" | "replay" | "forget";
  /** Unix ms. */
  at: number;
  /** The person, where the request named one. */
  by?: string;
  state: CallState;
  message?: string;
  /** The old key, if the call got a new one, and since when the outcome of an attempt with it is unknown, Unix ms. */
  key?: string;
  unknownSince?: number;
};

/** A verified webhook with the calls that its rules planned. */
export type PlannedWebhook = {
  source: string;
  eventId: string;
  /** True when `eventId` is a digest, unique for 24 h only. */
  digest: boolean;
  /** Digest of the signed body, where the provider's id is not signed. `eventId` is `<bodyDigest>.<id of the provider>`. */
  bodyDigest?: string;
  type: string;
  occurredAt: number;
  rank: number;
  test: boolean;
  raw: string;
  calls: (PlannedCall & { key: string })[];
  outcomes: RuleOutcome[];
  links: Link[];
  /** Names of the provider's objects, for the calls that refer to them. */
  names?: readonly ObjectName[];
  /** The lane of all its calls, if not the lane of each action. */
  lane?: Lane;
  /** Why none of its calls may be sent (test data, shadow mode); they become `skipped` with this message. */
  skip?: string;
  secretPaths: readonly string[];
};

/** The answer for one accepted webhook. */
export type Receipt = { id: string; duplicate: boolean; calls: number };

/** The request was refused because of a backlog: nothing was journalled. */
export type Overload = { message: string /** Seconds. */; retryAfter: number };

/** The answer to a request: a receipt for each of its webhooks, or an overload. */
export type AcceptResult = { receipts: Receipt[] } | { overload: Overload };

/** A row of the journal, parsed. */
export type Journalled = {
  seq: number;
  source: string;
  eventId: string;
  type: string;
  occurredAt: number;
  test: boolean;
  /** Empty after it was purged; see `whyErased`. */
  body: string;
  outcomes: KeptOutcome[];
  calls: Call[];
  rank: number;
  secretPaths: readonly string[];
  /** The row is damaged and cannot be read. No call of it is sent. */
  unreadable?: true;
};

/** The result of a rule. `replay`: a replay (at `at`, Unix ms) had another result than before. */
export type KeptOutcome = RuleOutcome & { replay?: number; at?: number };

/** The place of a call: its webhook, and its index among that webhook's calls. */
export type CallRef = { seq: number; index: number };
