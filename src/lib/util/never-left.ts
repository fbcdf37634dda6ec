/**
 * Limits of an event that end a call before it leaves.
 * "Worker exceeded CPU time limit" is not one: the Worker that was called may have acted.
 * https://developers.cloudflare.com/workers/platform/limits/
 */
const BEFORE =
  /^Too many subrequests\b|^Subrequest depth limit exceeded\b|\bexceeded .*\b(subrequest|connection)s? limit/i;

/** True for an error of a call that certainly never left: it may be made again, in a new event. */
export const neverLeft = (error: unknown): boolean => error instanceof Error && BEFORE.test(error.message);
