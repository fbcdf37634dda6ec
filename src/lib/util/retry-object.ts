/** https://developers.cloudflare.com/durable-objects/best-practices/error-handling/ */
const isRetryable = (error: unknown): boolean => {
  const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean };
  return retryable === true && overloaded !== true;
};

/**
 * Calls a Durable Object and retries once. Only for calls that may run twice.
 *
 * @param call gets its stub each time, because a failed stub stays broken
 */
export const callObject = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (!isRetryable(error)) throw error;
    return call();
  }
};
