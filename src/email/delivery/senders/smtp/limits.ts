/** Time limits of one attempt, in ms. RFC 5321 section 4.5.3.2 has minutes for each step; a relay answers in seconds. */
export type Limits = {
  connect: number;
  greeting: number;
  command: number;
  /** For each piece of the data block that the relay takes. */
  block: number;
  /**
   * For the reply to the final dot: some relays scan the mail before it. Giving up here leaves an unknown outcome. RFC 5321 asks for
   * ten minutes so that no mail is sent twice; an unknown mail is not sent again here, and mail behind it waits as long.
   */
  end: number;
  quit: number;
  /** For the whole attempt, waiting for a connection included. */
  attempt: number;
  /** After which an unused connection is closed. Relays close it after minutes. */
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
