/** Lets other requests in between two slices. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
