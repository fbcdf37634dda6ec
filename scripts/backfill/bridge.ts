import type { Answer } from "./counts.ts";
import type { Attempted } from "./retry-request.ts";

/** Characters. */
const MOST = 1_000_000;

export type Bridge = { url: string; token: string; source: string; events: boolean; dryRun: boolean };

/** An oversized object is a separate batch. */
export const batchesOf = (objects: readonly unknown[]): unknown[][] => {
  const batches: unknown[][] = [];
  let room = 0;
  for (const object of objects) {
    const size = JSON.stringify(object).length;
    if (size > room || batches.length === 0) {
      batches.push([]);
      room = MOST;
    }
    batches.at(-1)?.push(object);
    room -= size;
  }
  return batches;
};

/** Posts a batch to the bridge. Throws if a retry would also fail. */
export const postBatch = async (
  { url, token, source, events, dryRun }: Bridge,
  objects: readonly unknown[],
): Promise<Attempted<Answer>> => {
  const address = `${url}/admin/backfill/${encodeURIComponent(source)}`;
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ objects, events, dryRun }),
      signal: AbortSignal.timeout(60_000),
    });
    text = await response.text();
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return { again: `The bridge at ${url} does not answer (${cause}).` };
  }
  const message = messageOf(text);
  if (response.ok) {
    const answer = json(text) as Answer | undefined;
    if (typeof answer?.objects === "number") return { value: answer };
    throw new Error(`The server at ${url} is not the bridge. Set the address of the bridge with --url.`);
  }
  if (response.status === 401)
    throw new Error(`The bridge refuses the token: ${message} Set its ADMIN_TOKEN in .dev.vars or the environment.`);
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  if (response.status === 503 && seconds > 0) return { again: `The bridge is busy: ${message}`, wait: seconds * 1000 };
  if (response.status === 429 || response.status >= 500)
    return { again: `The bridge answers ${response.status}: ${message}` };
  throw new Error(`The bridge refuses (${response.status}): ${message}`);
};

const json = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const messageOf = (text: string): string => {
  const answer = json(text) as { message?: string } | undefined;
  return answer?.message ?? text.slice(0, 200);
};
