import type { Client } from "../../../lib/contract/client.ts";
import type { Contract } from "../../../lib/contract/operation.ts";
import { pageWords } from "./page-words.ts";
import { timed } from "./service-time.ts";

/**
 * `inBody`: the fields go into a JSON body. `isIdempotent`: the service accepts an idempotency key. `takesNothing`: the
 * options of a call come first.
 */
type Route = readonly [method: string, path: string, inBody: boolean, isIdempotent?: boolean, takesNothing?: boolean];

export type RouteTable = Record<string, Record<string, Route>>;

/** A refusal, or no answer (`status` 0). */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly status: number;
  readonly code: string;
  readonly path: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds. */
  readonly retryAfter: number | undefined;
  /**
   * Set if an action got no answer and may have been done. `keyed`: a retry has the same key and is safe.
   * `bare`: a retry may do it twice.
   */
  readonly lost: "keyed" | "bare" | undefined;

  constructor(status: number, body: Refused, headers = new Headers(), lost?: "keyed" | "bare") {
    super(body.message);
    this.lost = lost;
    this.status = status;
    this.code = body.code;
    this.path = body.path;
    this.requestId = headers.get("x-request-id") ?? undefined;
    const after = Number(headers.get("Retry-After"));
    this.retryAfter = after > 0 ? after : undefined;
  }
}

type Refused = { code: string; message: string; path?: string };

const NO_ANSWER: Refused = { code: "no_answer", message: "The dashboard gave no answer. Check your connection." };

/** A proxy before the service sends these codes. The service may have done the action already. */
const LOST = ["no_answer", "unreadable_answer", "half_unreachable"];

const refusedIn = (status: number, text: string): Refused => {
  try {
    const said = JSON.parse(text) as Partial<Refused>;
    if (said.message) return { code: "", ...said, message: pageWords(said.message) };
  } catch {
    // The body is not JSON: a proxy before the dashboard answered.
  }
  return { code: "unreadable_answer", message: `The answer ${status} could not be read.` };
};

/** Builds the URL and the body. Empty text means no filter in a query, but is a real value in a body. */
export const requestOf = (
  [method, path, inBody]: Route,
  base: string,
  fields: Record<string, unknown>,
): { method: string; url: string; body?: Record<string, unknown> } => {
  const used = new Set<string>();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    used.add(name);
    return encodeURIComponent(String(fields[name]));
  });
  const rest = Object.entries(fields).filter(([name, value]) => !used.has(name) && value !== undefined);
  if (inBody) return { method, url: base + filled, body: Object.fromEntries(rest) };
  const given = rest.filter(([, value]) => value !== "");
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return { method, url: base + filled + (query === "" ? "" : `?${query}`) };
};

/** Creates a typed client from a route table. Methods throw `RequestError`. `base`: path prefix. */
export const connect = <C extends Contract>(table: RouteTable, base: string): Client<C> => {
  const client: Record<string, Record<string, unknown>> = {};
  for (const [group, operations] of Object.entries(table)) {
    const methods: Record<string, unknown> = {};
    for (const [name, route] of Object.entries(operations)) {
      const call = (fields: Record<string, unknown> = {}, options: Options = {}) => {
        const request = requestOf(route, base, fields);
        return route[3] && options.idempotencyKey === undefined
          ? withKey(JSON.stringify(request), (idempotencyKey) => send(request, { ...options, idempotencyKey }))
          : send(request, options);
      };
      methods[name] = route[4] ? (options?: Options) => call({}, options) : call;
    }
    client[group] = methods;
  }
  return client as Client<C>;
};

type Options = { signal?: AbortSignal; idempotencyKey?: string };

const send = async (request: ReturnType<typeof requestOf>, options: Options): Promise<unknown> => {
  const { method, body } = request;
  const isAct = method !== "GET" && body?.dryRun !== true;
  const refusal = (status: number, refused: Refused, headers?: Headers): RequestError => {
    const isLost = isAct && (status === 0 || status >= 500) && LOST.includes(refused.code);
    const kind = options.idempotencyKey === undefined ? "bare" : "keyed";
    return new RequestError(status, refused, headers, isLost ? kind : undefined);
  };
  const { answer, text } = await ask(request, options).catch((error: unknown) => {
    if (options.signal?.aborted) throw error;
    throw refusal(0, NO_ANSWER);
  });
  if (!answer.ok) throw refusal(answer.status, refusedIn(answer.status, text), answer.headers);
  if (text === "") return undefined;
  return answer.headers.get("Content-Type")?.startsWith("application/json") ? JSON.parse(text) : text;
};

/** A connection that ends within the body counts as no answer. */
const ask = async ({ method, url, body }: ReturnType<typeof requestOf>, { signal, idempotencyKey }: Options) => {
  const noticeDate = timed();
  const answer = await fetch(url, {
    method,
    headers: {
      ...(method === "GET" ? {} : { "X-Mailspan": "1" }),
      ...(body ? { "Content-Type": "application/json" } : {}),
      ...(idempotencyKey === undefined ? {} : { "Idempotency-Key": idempotencyKey }),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
    ...(signal ? { signal } : {}),
  });
  noticeDate(answer.headers.get("Date"));
  return { answer, text: await answer.text() };
};

/** True if the answer was lost and the action may have been done. */
export const isLost = (error: unknown): boolean => error instanceof RequestError && error.lost !== undefined;

/** True if an earlier attempt with a lost answer did the action: the service refuses its key. */
export const wasDoneBefore = (error: unknown): boolean =>
  error instanceof RequestError && error.code === "idempotency_key_used";

const kept = new Map<string, string>();

/** A request with a lost answer reuses its key until it is answered, so the service refuses duplicates. */
const withKey = async <T>(request: string, send: (key: string) => Promise<T>): Promise<T> => {
  const key = kept.get(request) ?? crypto.randomUUID();
  try {
    const answer = await send(key);
    kept.delete(request);
    return answer;
  } catch (error) {
    if (wasDoneBefore(error)) kept.delete(request);
    else if (isLost(error)) kept.set(request, key);
    throw error;
  }
};
