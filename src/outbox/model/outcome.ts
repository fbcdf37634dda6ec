/** The kind of an outcome, and whether something in front of the host answered. For observations. */
export const kindOf = (outcome: Outcome): { outcome: Outcome["kind"]; foreign?: true } => ({
  outcome: outcome.kind,
  ...(outcome.kind === "unknown" && outcome.foreign ? { foreign: true } : {}),
});

/** The outcome of an attempt. */
export type Outcome =
  | {
      kind: "done";
      status?: number;
      message?: string;
      result?: string;
      /** The answer to a search: the contacts that the host has. */
      found?: readonly Record<string, unknown>[];
    }
  /** The host refused the call for good. */
  | {
      kind: "dead";
      status?: number;
      message: string;
      /** The user id and the address belong to two contacts of the host. */
      conflict?: true;
      /** The host answered 401 or 403, and accepted the API key right after it. */
      keyAccepted?: true;
    }
  /** The host may have acted on the call: retry with the same key. */
  | {
      kind: "unknown";
      status?: number;
      message: string;
      /** The answer is not in the form of the API: something in front of the host gave it. */
      foreign?: true;
      /** Ms that the answer asks to wait. */
      wait?: number;
    }
  /** The team's rate limit is used up: all delivery waits, and the attempt does not count. */
  | {
      kind: "rate_limited";
      status: number;
      message: string /** Ms the host asks for; 0 where it does not say. */;
      wait: number;
    }
  /**
   * The host refused the API key. All delivery waits if a key check is refused too. `plain`: a 401 that something in front of
   * the host may have given.
   */
  | { kind: "key_refused"; status: number; message: string; plain?: true };
