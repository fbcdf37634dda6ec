import type { Refusal } from "../../../lib/contract/errors.ts";

/** What an operation works with. Time and randomness come in here and nowhere else. */
export type Context = {
  sql: SqlStorage;
  /** Unix ms, the same for all of one call. */
  now: number;
  /** A random identifier with this prefix. */
  id(prefix: string): string;
  /** Domain of Message-IDs and From addresses. */
  domain: string;
  /** IP addresses that only this host's mail leaves from. */
  sendingIps: readonly string[];
  /** What is to happen once the call is committed; a refusal empties it. */
  after: After;
};

/** An event that has met a trigger: `event` and `contact` are `n` of their rows. */
type Triggered = { workflow: string; event: number; contact: number };

/**
 * `sends`: `n` of rows in `sends` that may start. `triggered`: what the workflow engine is to take up; nothing in the
 * table `triggers`, nothing here. `wake`: the alarm is to be set no later than this, in Unix ms.
 */
type After = { sends: number[]; triggered: Triggered[]; wake: number };

export const nothing = (): After => ({ sends: [], triggered: [], wake: Number.POSITIVE_INFINITY });

/** Wants the alarm no later than `at`, in Unix ms. */
export const wake = ({ after }: Context, at: number): void => {
  after.wake = Math.min(after.wake, at);
};

/** A result or an expected refusal, as a value. */
export type Outcome<Body> = { body: Body } | { refusal: Refusal };
