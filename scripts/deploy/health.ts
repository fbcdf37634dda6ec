import { DeployError, type Io } from "./io.ts";
import { record } from "./record.ts";

const ATTEMPTS = 60;
const PAUSE_MS = 2000;
const TIMEOUT_MS = 10_000;

export type Health = { status: string; reasons: string[] };

/** Repeats `GET /health` of a Worker for about two minutes, because a new address takes time to work. */
export const waitForHealth = async (
  { fetch, print, sleep }: Pick<Io, "fetch" | "print" | "sleep">,
  url: string,
): Promise<Health> => {
  print(`Waiting for ${url}/health (a new address takes up to two minutes) …`);
  let last = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const answer = await healthOf(fetch, url);
    if (typeof answer !== "string") return answer;
    last = answer;
    if (attempt % 5 === 0) print(`  not yet, after ${(attempt * PAUSE_MS) / 1000} s: ${last}`);
    await sleep(PAUSE_MS);
  }
  throw new DeployError(
    `${url}/health does not answer: ${last}.`,
    `The Worker is deployed. Open ${url}/health in a browser; when it answers, run this again.`,
  );
};

const healthOf = async (fetch: Io["fetch"], url: string): Promise<Health | string> => {
  try {
    const response = await fetch(new Request(`${url}/health`, { signal: AbortSignal.timeout(TIMEOUT_MS) }));
    // Before the Worker answers, Cloudflare answers with a page of its own.
    const body = record(await response.json().catch(() => undefined));
    if (!response.ok || typeof body.status !== "string") return `HTTP ${response.status}`;
    return { status: body.status, reasons: Array.isArray(body.reasons) ? body.reasons.map(String) : [] };
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
};
