export const kindOf = (outcome: Outcome): { outcome: Outcome["kind"]; foreign?: true } => ({
  outcome: outcome.kind,
  ...(outcome.kind === "unknown" && outcome.foreign ? { foreign: true } : {}),
});

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
    }
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
