import type { Clock } from "./clock.ts";

type Received = { at: number; method: string; path: string; key: string | null; body: Record<string, unknown> };

/** The email service's reaction to one request: an answer, silence, or (undefined) the usual one. */
type Behavior = (request: Received) => Response | "hang" | undefined | Promise<Response | "hang" | undefined>;

/**
 * A model of an email service that remembers Idempotency-Keys of accepted requests.
 * `before` runs before the email service acts, `after` decides the answer afterwards.
 */
export const createService = (clock: Clock) => {
  const service = {
    received: [] as Received[],
    acted: [] as Received[],
    keyChecks: [] as Received[],
    keys: new Set<string>(),
    before: (() => undefined) as Behavior,
    after: (() => undefined) as Behavior,
    get offset() {
      return clock.offset;
    },
    set offset(ms: number) {
      clock.offset = ms;
    },
    now: clock.now,
    sleep: (ms: number) => clock.sleep(ms),
    fetch: async (request: Request): Promise<Response> => {
      const { pathname, searchParams } = new URL(request.url);
      const asks = request.method === "GET";
      const body = asks ? Object.fromEntries(searchParams) : await clock.busy(request.json<Record<string, unknown>>());
      const key = request.headers.get("Idempotency-Key");
      const received = { at: service.now(), method: request.method, path: pathname, key, body };
      const isKeyCheck = pathname === "/v1/api-key";
      (isKeyCheck ? service.keyChecks : service.received).push(received);
      const early = await service.before(received);
      if (early) return early === "hang" ? hang(request.signal) : early;
      if (isKeyCheck) return Response.json({ success: true, teamName: "Acme" });
      if (key !== null && service.keys.has(key)) {
        return Response.json(
          { success: false, code: "idempotency_key_used", message: "Idempotency key has been used." },
          { status: 409 },
        );
      }
      if (key !== null) service.keys.add(key);
      service.acted.push(received);
      if (asks) return Response.json([]);
      const late = await service.after(received);
      if (late) return late === "hang" ? hang(request.signal) : late;
      return Response.json({ success: true, id: `id_${service.acted.length}` });
    },
  };
  return service;
};

const hang = (signal: AbortSignal): Promise<Response> =>
  new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

export const failure = (
  status: number,
  message: string,
  headers: Record<string, string> = {},
  code?: string,
): Response => Response.json({ success: false, message, ...(code ? { code } : {}) }, { status, headers });
