/** Time limits of one attempt, in ms; shorter than RFC 5321 section 4.5.3.2. */
export type Limits = {
  connect: number;
  greeting: number;
  command: number;
  /** Per piece of the data block. */
  block: number;
  /**
   * Reply to the final dot, after a mail scan. A timeout means an unknown outcome, which is never sent again. RFC
   * 5321 asks for ten minutes.
   */
  end: number;
  quit: number;
  attempt: number;
  idle: number;
};

export const LIMITS: Limits = {
  connect: 15_000,
  greeting: 60_000,
  command: 60_000,
  block: 60_000,
  end: 180_000,
  quit: 1_000,
  attempt: 300_000,
  idle: 15_000,
};
