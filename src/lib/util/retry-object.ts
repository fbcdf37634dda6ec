/** True when Cloudflare says that the same call may succeed on a fresh stub (https://developers.cloudflare.com/durable-objects/best-practices/error-handling/). */
const isRetryable = (error: unknown): boolean => {
  const { retryable, overloaded } = error as { retryable?: boolean; overloaded?: boolean };
  return retryable === true && overloaded !== true;
};

/**
 * Calls an object, and once more on a fresh stub when the platform says so. Only for calls that may safely run twice.
 *
 * @param call gets its own stub: a stub that has failed stays broken
 */
export const callObject = async <T>(call: () => Promise<T>): Promise<T> => {
  try {
    return await call();
  } catch (error) {
    if (!isRetryable(error)) throw error;
    return call();
  }
};
