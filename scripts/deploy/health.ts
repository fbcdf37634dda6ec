import { DeployError, type Io } from "./io.ts";
import { record } from "./record.ts";

const ATTEMPTS = 60;
const PAUSE_MS = 2000;
const TIMEOUT_MS = 10_000;

export type Health = { status: string; reasons: string[] };

/** Polls for about two minutes, because a new address takes time to work. */
export const waitForHealth = async (
  { fetch, print, sleep }: Pick<Io, "fetch" | "print" | "sleep">,
  url: string,
): Promise<Health> =>
  waitFor({ fetch, print, sleep }, `${url}/health`, (status, body) => {
    if (status !== 200 || typeof body.status !== "string") return undefined;
    return { status: body.status, reasons: Array.isArray(body.reasons) ? body.reasons.map(String) : [] };
  });

/** Polls for about two minutes until `read` accepts the answer. */
export const waitFor = async <T>(
  { fetch, print, sleep }: Pick<Io, "fetch" | "print" | "sleep">,
  url: string,
  read: (status: number, body: Record<string, unknown>) => T | undefined,
): Promise<T> => {
  print(`Waiting for ${url} (a new address takes up to two minutes) …`);
  let last = "";
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const answer = await answerOf(fetch, url, read);
    if ("read" in answer) return answer.read;
    last = answer.problem;
    if (attempt % 5 === 0) print(`  not yet, after ${(attempt * PAUSE_MS) / 1000} s: ${last}`);
    await sleep(PAUSE_MS);
  }
  throw new DeployError(
    `${url} does not answer: ${last}.`,
    `The Worker is deployed. Open ${url} in a browser; when it answers, run this again.`,
  );
};

const answerOf = async <T>(
  fetch: Io["fetch"],
  url: string,
  read: (status: number, body: Record<string, unknown>) => T | undefined,
): Promise<{ read: T } | { problem: string }> => {
  try {
    const response = await fetch(new Request(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }));
    // Cloudflare sends an error page before the Worker answers.
    const body = record(await response.json().catch(() => undefined));
    const answer = read(response.status, body);
    if (answer !== undefined) return { read: answer };
    const message = body.message ?? record(body.error).message;
    return { problem: `HTTP ${response.status}${typeof message === "string" ? `: ${message}` : ""}` };
  } catch (error) {
    const { cause, message } = error as Error;
    return { problem: cause instanceof Error ? cause.message : message };
  }
};
