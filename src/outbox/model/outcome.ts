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
    }
  /** The host may have acted on the call: retry with the same key. */
  | { kind: "unknown"; status?: number; message: string }
  /** The team's rate limit is used up: all delivery waits, and the attempt does not count. */
  | {
      kind: "rate_limited";
      status: number;
      message: string /** Ms the host asks for; 0 where it does not say. */;
      wait: number;
    }
  /** The host refuses the API key: all delivery waits, with slow probes. */
  | { kind: "key_refused"; status: number; message: string };
