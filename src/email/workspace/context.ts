import type { Refusal } from "../../lib/contract/errors.ts";

/** What an operation works with. Time and randomness come in here and nowhere else. */
export type Context = {
  sql: SqlStorage;
  /** Unix ms, the same for all of one call. */
  now: number;
  /** A random identifier with this prefix. */
  id(prefix: string): string;
  /** Domain of Message-IDs and From addresses. */
  domain: string;
  /** What is to happen once the call is committed; a refusal empties it. */
  after: After;
};

/** `sends`: `n` of rows in `sends` that may start. `wake`: the alarm is to be set no later than this, in Unix ms. */
export type After = { sends: number[]; wake: number };

export const nothing = (): After => ({ sends: [], wake: Number.POSITIVE_INFINITY });

/** Wants the alarm no later than `at`, in Unix ms. */
export const wake = ({ after }: Context, at: number): void => {
  after.wake = Math.min(after.wake, at);
};

/** A result or an expected refusal, as a value. */
export type Outcome<Body> = { body: Body } | { refusal: Refusal };
