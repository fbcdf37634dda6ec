import type { Try } from "./again.ts";
import type { Told } from "./counts.ts";

/** Characters of one request. */
const MOST = 1_000_000;

export type Bridge = { url: string; token: string; source: string; events: boolean; dryRun: boolean };

/** Objects in batches that fit into a request. One that is larger alone goes alone. */
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

/** Hands a batch over. Throws on what another try would not mend. */
export const handOver = async (
  { url, token, source, events, dryRun }: Bridge,
  objects: readonly unknown[],
): Promise<Try<Told>> => {
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
    const told = json(text) as Told | undefined;
    if (typeof told?.objects === "number") return { value: told };
    throw new Error(`What answers at ${url} is not the bridge. Where is it? --url says.`);
  }
  if (response.status === 401)
    throw new Error(`The bridge refuses the token: ${message} Set ADMIN_TOKEN, or use --token.`);
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
  const told = json(text) as { error?: { message?: string } } | undefined;
  return told?.error?.message ?? text.slice(0, 200);
};
