/** Ms between two starts: a little less than the 10 requests per second a team has. */
const STEP = 125;
const TRIES = 5;
const TIMEOUT = 15_000;
const LONGEST_WAIT = 60_000;

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A fetch that stays under the team's limit, and waits and asks again where the host says 429. */
export const paced = (real: Fetch = fetch): Fetch => {
  let next = 0;
  const turn = async () => {
    const at = Math.max(performance.now(), next);
    next = at + STEP;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
  };
  return async (url, init) => {
    for (let tries = 1; ; tries++) {
      await turn();
      const request = url instanceof Request ? url.clone() : url;
      const response = await real(request, { ...init, signal: AbortSignal.timeout(TIMEOUT) });
      if (response.status !== 429 || tries === TRIES) return response;
      const wait = Number(response.headers.get("Retry-After")) * 1000 || 1_000;
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, Math.min(wait, LONGEST_WAIT)));
    }
  };
};
