import { DAY_MS } from "../../lib/util/dates.ts";

/**
 * The reason why all deliveries wait. `backoff`: a 429. `blocked`: key refused or not set. `outage`: no usable answer.
 * Unix ms.
 */
export type Interruption = {
  reason: "backoff" | "blocked" | "outage";
  /** In an outage: what fails, without names. */
  message: string;
  since: number;
  until: number;
  probes: number;
  /** Of an outage; absent if this process has seen none. */
  lastSuccess?: number;
};

const clock = (at: number, beside: number): string => {
  const [day, time] = new Date(at).toISOString().split(/[TZ.]/);
  return `${at - (at % DAY_MS) === beside - (beside % DAY_MS) ? "" : `${day} `}${time}`;
};

/** Returns the sentence about an outage. It names no person. Times in UTC. */
export const outageText = ({ message, since, until, lastSuccess }: Omit<Interruption, "reason" | "probes">): string => {
  const answer = /^\d/.test(message) ? "no usable answer" : "no answer";
  const success = lastSuccess === undefined ? "" : `; last success ${clock(lastSuccess, until)}`;
  return `The email service gives ${answer}: ${message} since ${clock(since, until)}${success}; next attempt ${clock(until, until)} UTC.`;
};

/** Pause times in Unix ms, for all deliveries or by source. */
export type Pauses = { all?: number; sources: Readonly<Record<string, number>> };

/** Responses from something in front of the email service. Times in Unix ms. */
export type ForeignAnswers = {
  since: number;
  at: number;
  count: number;
  message: string;
};
