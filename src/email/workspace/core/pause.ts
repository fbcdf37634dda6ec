/** Lets other requests in between two slices. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/**
 * Waits for work that goes on by itself, for `ms` at most. A pause is answered when no Mailer has a mail left that waits, and one that does not
 * answer delays it by no more than that.
 */
export const atMost = async (ms: number, work: Promise<void> | undefined): Promise<void> => {
  if (work) await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))]);
};
