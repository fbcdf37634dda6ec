import { DAY_MS, HOUR_MS } from "../../../lib/util/dates.ts";
import { equalJitter } from "../../../lib/util/jitter.ts";
import type { Attempted } from "../../types/notifier-rpc.ts";

/** The retry time of an event and an endpoint, in ms. */
export const GIVE_UP_MS = 3 * DAY_MS;
const BASE_MS = 5_000;
const CAP_MS = 6 * HOUR_MS;
/** One event at a time tests a failed endpoint. */
const MAX_PAUSE_MS = 300_000;
const MAX_RETRY_AFTER_MS = HOUR_MS;

const retryAfterOf = (attempted: Attempted): number =>
  "status" in attempted ? Math.min(MAX_RETRY_AFTER_MS, attempted.retryAfter ?? 0) : 0;

/** Returns the pause in ms that the endpoint asks for. */
export const pauseOf = (attempts: readonly Attempted[]): number => Math.max(...attempts.map(retryAfterOf));

/** Returns the pause of a failing endpoint in ms. */
export const pauseAfterFailure = (failures: number, attempts: readonly Attempted[], random: number): number =>
  Math.max(pauseOf(attempts), equalJitter(failures, random, 1_000, MAX_PAUSE_MS));

/** Returns the time of the next attempt in Unix ms. `count`: attempts so far. */
export const retryTime = (now: number, count: number, attempted: Attempted, random: number): number =>
  now + Math.max(equalJitter(count, random, BASE_MS, CAP_MS), retryAfterOf(attempted));
