export const kindOf = (outcome: Outcome): { outcome: Outcome["kind"]; foreign?: true } => ({
  outcome: outcome.kind,
  ...(outcome.kind === "unknown" && outcome.foreign ? { foreign: true } : {}),
});

/** Returns the failure in words without names, if the outcome may be that of an outage. */
export const downOf = (outcome: Outcome): string | undefined =>
  outcome.kind === "unknown" || outcome.kind === "unavailable" ? outcome.down : undefined;

/** True if the email service itself answered, in the form of its API. */
export const isHeard = (outcome: Outcome): boolean =>
  outcome.kind === "done" ||
  outcome.kind === "failed" ||
  outcome.kind === "rate_limited" ||
  (outcome.kind === "key_refused" && !outcome.plain) ||
  (outcome.kind === "unknown" && outcome.own === true);

export type Outcome =
  | {
      kind: "done";
      status?: number;
      message?: string;
      result?: string;
      /** Contacts returned by a search. */
      found?: readonly Record<string, unknown>[];
    }
  /** The email service refused the delivery permanently. */
  | {
      kind: "failed";
      status?: number;
      message: string;
      /** The user id and the address belong to two contacts. */
      conflict?: true;
      /** A 401 or 403, although the API key was accepted right after it. */
      keyAccepted?: true;
    }
  /** The email service may have acted: retry with the same key. */
  | {
      kind: "unknown";
      status?: number;
      message: string;
      /** The response came from something in front of the email service. */
      foreign?: true;
      /** Milliseconds to wait, as requested. */
      wait?: number;
      /** The email service itself answered so. */
      own?: true;
      /** The failure in words without names, if it may concern every call. */
      down?: string;
    }
  /** The email service says that it did nothing and cannot act now. */
  | { kind: "unavailable"; status: number; message: string; down: string }
  /** The request never left: it is sent in a new event. */
  | { kind: "deferred"; status?: number; message: string }
  /** The rate limit is used up: all deliveries wait. */
  | {
      kind: "rate_limited";
      status: number;
      message: string /** Milliseconds; 0 if not given. */;
      wait: number;
    }
  /** The API key was refused. `plain`: a 401 that a proxy may have sent. */
  | { kind: "key_refused"; status: number; message: string; plain?: true };
