import type { PlannedCall, RuleOutcome } from "../../rules/types.ts";

/** Lanes in order of importance. */
export const lanes = ["urgent", "transactional", "event", "contact", "backfill"] as const;
export type Lane = (typeof lanes)[number];

/**
 * `waiting` and `sending` are undecided (the journal says `waiting` for both: what is under way is known to the object
 * and to its claims); the others are final until a person acts.
 */
export type CallState = "waiting" | "sending" | "done" | "superseded" | "skipped" | "dead" | "parked";

/** One try of a call. Written when it has come to an outcome, or its claim is found without one; what is missing was never learned. */
export type Attempt = {
  /** Unix ms of the start. */
  at: number;
  /** Duration in ms. */
  ms?: number;
  /** HTTP status of the host. */
  status?: number;
  message?: string;
  /** Ms until the next try. */
  wait?: number;
};

/** A call as the ledger keeps it, inside its webhook's row. */
export type Call = PlannedCall & {
  /** Idempotency-Key, the same for every try. */
  key: string;
  /** Where it is not the lane of its action. */
  lane?: Lane;
  state: CallState;
  /** Unix ms before which it is not tried. */
  due: number;
  attempts: Attempt[];
  /** Tries that came to an outcome, refused ones too: tells a claim that was settled from one that was cut off. */
  tries?: number;
  /** Id of the webhook whose update it left together with, in one request. */
  sentWith?: string;
  /** Unix ms of the first try whose outcome is unknown. Retries end 23 h (keyed) or 72 h after it. */
  unknownSince?: number;
  /** Refusals in a row that were about the limit or the key, and when the first of them was, Unix ms. */
  refusals?: { count: number; since: number };
  /** What the provider answered when it was asked whom the call is about. */
  asked?: string;
  /** Why it is in its state: the host's own message where there is one. */
  message?: string;
  /** The id the host gave. */
  result?: string;
  settledAt?: number;
  /** Which replay of its webhook planned it; absent where it was planned at the door. */
  replay?: number;
  /** When that replay was, Unix ms. */
  plannedAt?: number;
  /** What people did about it, oldest first. */
  acts?: Act[];
};

/** Something a person did about a call, and what the call was until then. */
export type Act = {
  act: "retry" | "discard" | "send again" | "replay" | "forget";
  /** Unix ms. */
  at: number;
  state: CallState;
  message?: string;
  /** The key until then, where it got a new one, and since when the outcome of a try with it is unknown, Unix ms. */
  key?: string;
  unknownSince?: number;
};

/** What the door hands over: a verified webhook with the calls its rules planned. */
export type PlannedWebhook = {
  source: string;
  eventId: string;
  /** True when `eventId` is a digest, unique for 24 h only. */
  digest: boolean;
  type: string;
  occurredAt: number;
  rank: number;
  test: boolean;
  raw: string;
  calls: (PlannedCall & { key: string })[];
  outcomes: RuleOutcome[];
  links: { ref?: string; email?: string; userId?: string }[];
  /** The lane of all its calls, where it is not that of each one's action. */
  lane?: Lane;
  /** Why none of its calls is to leave (test data, shadow mode); they end as `skipped` with this message. */
  skip?: string;
  secretPaths: readonly string[];
};

/** What the door answers with. */
export type Receipt = { id: string; duplicate: boolean; calls: number };

/** There is too much to do: nothing was journalled. */
export type Overload = { message: string /** Seconds. */; retryAfter: number };

/** What came of a request: a receipt for each of its webhooks, or none. */
export type AcceptResult = { receipts: Receipt[] } | { overload: Overload };

/** A row of the journal, parsed. */
export type Journalled = {
  seq: number;
  source: string;
  eventId: string;
  type: string;
  occurredAt: number;
  test: boolean;
  /** Empty once it was purged; see `whyErased`. */
  body: string;
  outcomes: KeptOutcome[];
  calls: Call[];
  rank: number;
  secretPaths: readonly string[];
  /** Its row is damaged: what it was is not known, and nothing is done about it. */
  unreadable?: true;
};

/** What became of a rule; with `replay` where a replay (at that time, Unix ms) came to something else than was known. */
export type KeptOutcome = RuleOutcome & { replay?: number; at?: number };

/** Where a call stands: its webhook, and its place among that one's calls. */
export type CallRef = { seq: number; index: number };
