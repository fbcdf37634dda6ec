/** What a try of a call came to, and what is to happen. */
export type Outcome =
  | { kind: "done"; status?: number; message?: string; result?: string }
  /** A refusal for good. */
  | { kind: "dead"; status?: number; message: string }
  /** It may have been acted on: try again with the same key. */
  | { kind: "unknown"; status?: number; message: string }
  /** The team's limit: everything waits, and the call has lost nothing. */
  | {
      kind: "rate_limited";
      status: number;
      message: string /** Ms the host asks for; 0 where it does not say. */;
      wait: number;
    }
  /** The key is refused: everything waits, with slow probes. */
  | { kind: "key_refused"; status: number; message: string };
