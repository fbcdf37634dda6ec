/**
 * Why delivery as a whole waits for the host. `backoff`: the host answered 429. `blocked`: the host refuses the API key, or
 * cannot be called; the queue keeps every call, and key checks probe the host. Times in Unix ms.
 */
export type Interruption = {
  reason: "backoff" | "blocked";
  message: string;
  since: number;
  until: number;
  probes: number;
};

/** What operators paused and since when (Unix ms): all delivery, or single sources by name. */
export type Pauses = { all?: number; sources: Readonly<Record<string, number>> };

/** Answers that something in front of the host gave. Times in Unix ms. */
export type ForeignAnswers = {
  since: number;
  /** When the newest one came. */
  at: number;
  count: number;
  /** Describes the newest one. */
  message: string;
};
