// The rules of the simulated platform and what was counted under them. One isolate has one set.

/** `before` or `after` the nth pass of a point by any object of a class, since the rules were set. */
type Abort = { point: string; when: "before" | "after"; nth: number };

/** By default the limits of the Free plan hold, and nothing else happens. */
export type Rules = {
  /** Subrequests per event of an object: 50 on the Free plan, 10 000 on the Paid plan. */
  subrequests?: number;
  /** Calls of objects by objects; the platform refuses deeper ones. */
  depth?: number;
  aborts?: Abort[];
  /** Ms without an open event until an object is evicted. */
  evictAfter?: number;
  /** Every nth alarm is lost or runs twice. */
  alarms?: { lost?: number; twice?: number };
  /** `Date.now` of an object moves only with I/O. */
  frozenClock?: boolean;
  /** Ms by which the clock of all objects is ahead. */
  ahead?: number;
  /** The class of the objects that may not write rows, as on a used-up day of the Free plan. */
  refuse?: string;
  /** Answers of Amazon SES come from the simulator. */
  ses?: boolean;
};

export type Counts = {
  /** Passes of each point: "Mailer sync", "Workspace call Mailer.deliver". */
  points: Record<string, number>;
  /** The most subrequests of an event, by class. */
  most: Record<string, number>;
  deepest: number;
  /** Subrequests that the budget refused, by point. */
  refused: Record<string, number>;
  aborted: string[];
  /** Addresses of mails that SES took. */
  ses: string[];
  alarms: { lost: number; twice: number };
};

/** https://developers.cloudflare.com/workers/platform/limits/; the depth is not published, 16 was seen. */
const FREE = { subrequests: 50, depth: 16 };

const nothing = (): Counts => ({
  points: {},
  most: {},
  deepest: 0,
  refused: {},
  aborted: [],
  ses: [],
  alarms: { lost: 0, twice: 0 },
});

/** The current rules and counts. `alarm`: number of the last alarm. */
export const platform: { rules: Rules & typeof FREE; counts: Counts; alarm: number } = {
  rules: FREE,
  counts: nothing(),
  alarm: 0,
};

export const setRules = (rules: Rules): void => {
  platform.rules = { ...FREE, ...rules };
  platform.counts = nothing();
  platform.alarm = 0;
};

export const add = (counts: Record<string, number>, key: string): number => {
  counts[key] = (counts[key] ?? 0) + 1;
  return counts[key];
};
