import type { Client } from "../../../lib/contract/client.ts";
import type { Contract } from "../../../lib/contract/operation.ts";
import { pageWords } from "./page-words.ts";
import { timed } from "./service-time.ts";

/** Method, path, true where the fields travel in a JSON body, and true where the service does a repeated key only once. */
type Route = readonly [method: string, path: string, inBody: boolean, isIdempotent?: boolean];

/** Operations by group and name. */
export type RouteTable = Record<string, Record<string, Route>>;

/** A refusal, or no answer at all (`status` 0). */
export class RequestError extends Error {
  override readonly name = "RequestError";
  readonly status: number;
  readonly code: string;
  /** The field that is wrong. */
  readonly path: string | undefined;
  readonly requestId: string | undefined;
  /** Seconds to wait. */
  readonly retryAfter: number | undefined;
  /**
   * Set where an act got no answer, so that it is not known whether it was done. `keyed`: the same once more has the same key, and is not done
   * twice. `bare`: it may be done twice.
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

/** What stands in front of the service says these: the service may have done it before. */
const LOST = ["no_answer", "unreadable_answer", "half_unreachable"];

/** The words of a refusal: the bridge has them under `error`, the other Workers at the top. */
const refusedIn = (status: number, text: string): Refused => {
  try {
    const body = JSON.parse(text) as { error?: unknown } & Partial<Refused>;
    const { error } = body;
    const said = (typeof error === "object" && error !== null ? { ...body, ...error } : body) as Partial<Refused>;
    if (said.message) return { code: "", ...said, message: pageWords(said.message) };
  } catch {
    // Not JSON: something in front of the dashboard answered.
  }
  return { code: "unreadable_answer", message: `The answer ${status} could not be read.` };
};

/**
 * The address of an operation with its query, and the fields for its body. An empty text in a query stands for a filter that is not set; in a
 * body it is a value: without it, a text that a person emptied would stay.
 */
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

/** A typed client of a contract, from its route table. Its methods throw `RequestError`. `base`: the path before the operations. */
export const connect = <C extends Contract>(table: RouteTable, base: string): Client<C> => {
  const client: Record<string, Record<string, unknown>> = {};
  for (const [group, operations] of Object.entries(table)) {
    const methods: Record<string, unknown> = {};
    for (const [name, route] of Object.entries(operations)) {
      methods[name] = (fields: Record<string, unknown> = {}, options: Options = {}) => {
        const request = requestOf(route, base, fields);
        return route[3] && options.idempotencyKey === undefined
          ? withKey(JSON.stringify(request), (idempotencyKey) => send(request, { ...options, idempotencyKey }))
          : send(request, options);
      };
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

/** An answer with its text. A connection that ends in the middle of the text gives no answer either. */
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

/** True where the answer to an act was lost: it may have been done. */
export const isLost = (error: unknown): boolean => error instanceof RequestError && error.lost !== undefined;

/** True where an act was done by an earlier try, whose answer was lost: the service refuses its key. */
export const wasDoneBefore = (error: unknown): boolean =>
  error instanceof RequestError && error.code === "idempotency_key_used";

/** Keys of requests whose answer was lost, by all that makes two requests the same. */
const kept = new Map<string, string>();

/**
 * Sends a request with a key of its own. Where its answer is lost, the same request has the same key once more, until one is answered: the
 * service then refuses what it has done before. A refusal in between says nothing about the first try, so that it ends nothing.
 */
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
