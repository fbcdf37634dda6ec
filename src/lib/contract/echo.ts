/** Header with the id of one call of the bridge. */
export const CALL = "x-mailspan-call";

/** Request headers that the email Worker returns, so that a caller knows the answer as its own. */
export const ECHOED = [CALL, "idempotency-key"] as const;

/** Characters. */
const LONGEST = 300;

/** Copies the echoed headers of a request to its answer. */
export const echo = (request: Headers, answer: Headers): void => {
  for (const name of ECHOED) {
    const given = request.get(name);
    if (given !== null && given.length <= LONGEST) answer.set(name, given);
  }
};
