/** Lets other requests run between two slices. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Waits for background work, at most `ms`. */
export const atMost = async (ms: number, work: Promise<void> | undefined): Promise<void> => {
  if (work) await Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))]);
};
