/** The reason why all deliveries wait. `backoff`: a 429. `blocked`: key refused or no connection. Unix ms. */
export type Interruption = {
  reason: "backoff" | "blocked";
  message: string;
  since: number;
  until: number;
  probes: number;
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
