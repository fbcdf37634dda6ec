/** Ms, for the limit of 10 requests per second. */
const STEP = 125;
const MOST_ATTEMPTS = 5;
const TIMEOUT = 15_000;
const LONGEST_WAIT = 60_000;

type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Keeps the rate limit. A 429 is repeated after Retry-After. */
export const paced = (real: Fetch = fetch): Fetch => {
  let next = 0;
  const turn = async () => {
    const at = Math.max(performance.now(), next);
    next = at + STEP;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - performance.now())));
  };
  return async (url, init) => {
    for (let attempt = 1; ; attempt++) {
      await turn();
      const request = url instanceof Request ? url.clone() : url;
      const response = await real(request, { ...init, signal: AbortSignal.timeout(TIMEOUT) });
      if (response.status !== 429 || attempt === MOST_ATTEMPTS) return response;
      const wait = Number(response.headers.get("Retry-After")) * 1000 || 1_000;
      await response.body?.cancel();
      await new Promise((resolve) => setTimeout(resolve, Math.min(wait, LONGEST_WAIT)));
    }
  };
};
