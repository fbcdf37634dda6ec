import { readAnswerText } from "./body.ts";
import type { Contract, Operation, RequestInput, Response as ResponseOf } from "./operation.ts";
import { hasBody, pathParameters } from "./operation.ts";

/** Most bytes of an answer that are read. An answer with more counts as one that cannot be read. */
const MAX_ANSWER = 1_000_000;

/** A refusal of the host: any answer that is not 2xx. Network errors and aborts are thrown as `fetch` throws them. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** The host's own code, if it gives one. */
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** Milliseconds to wait, from `Retry-After` (seconds or a date). */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    message: string,
    details: { code?: string; requestId?: string; retryAfter?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
  }
}

export type CallOptions = { idempotencyKey?: string; signal?: AbortSignal };

type Arguments<O extends Operation> =
  Record<string, never> extends RequestInput<O>
    ? [request?: RequestInput<O>, options?: CallOptions]
    : [request: RequestInput<O>, options?: CallOptions];

/** The client of a contract: `client.contacts.create({ email })`. */
export type Client<C extends Contract> = {
  readonly [G in keyof C]: {
    readonly [O in keyof C[G]]: (...args: Arguments<C[G][O]>) => Promise<ResponseOf<C[G][O]>>;
  };
};

export type ClientConfig = {
  /** Base address, with or without a trailing `/` or `/v1`. */
  baseUrl: string;
  apiKey: string;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Added to every request, for example a User-Agent. */
  headers?: Record<string, string>;
  /** The clock in Unix ms, for a `Retry-After` that is a date. The system clock by default. */
  now?: () => number;
};

/** The parts of an operation that a request needs, prepared once. */
type Route = { method: string; path: string; inPath: ReadonlySet<string>; inBody: boolean };

const routeOf = (operation: Operation): Route => ({
  method: operation.method,
  path: operation.path,
  inPath: new Set(pathParameters(operation.path)),
  inBody: hasBody(operation),
});

/**
 * Returns a function that creates typed clients of a contract. Clients do not retry: the caller decides. Their methods
 * throw `ApiError` on any answer that is not 2xx, and network errors as `fetch` throws them.
 */
export const clientOf = <C extends Contract>(contract: C) => {
  const routes = Object.entries(contract).map(
    ([group, operations]) =>
      [group, Object.entries(operations).map(([name, operation]) => [name, routeOf(operation)] as const)] as const,
  );
  return (config: ClientConfig & { now: () => number }): Client<C> => {
    const base = `${config.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`;
    const send = config.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
    const client: Record<string, Record<string, unknown>> = {};
    for (const [group, operations] of routes) {
      const methods: Record<string, unknown> = {};
      for (const [name, route] of operations) {
        methods[name] = async (request: Record<string, unknown> = {}, options: CallOptions = {}) =>
          read(await send(...toRequest(base, route, request, options, config)), config.now);
      }
      client[group] = methods;
    }
    return client as Client<C>;
  };
};

const toRequest = (
  base: string,
  { method, path, inPath, inBody }: Route,
  request: Record<string, unknown>,
  options: CallOptions,
  config: ClientConfig,
): [url: string, init: RequestInit] => {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => segment(key, request[key]));
  const rest = Object.fromEntries(
    Object.entries(request).filter(([key, value]) => !inPath.has(key) && value !== undefined),
  );
  const url = new URL(base + filled);
  if (!inBody) for (const [key, value] of Object.entries(rest)) url.searchParams.set(key, wellFormed(key, value));
  const init: RequestInit = {
    method,
    headers: {
      ...config.headers,
      Authorization: `Bearer ${config.apiKey}`,
      ...(inBody ? { "Content-Type": "application/json" } : {}),
      ...(options.idempotencyKey === undefined ? {} : { "Idempotency-Key": options.idempotencyKey }),
    },
    ...(inBody ? { body: JSON.stringify(rest) } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    redirect: "manual",
  };
  return [url.href, init];
};

/**
 * A value as one segment of a path. `.` and `..` are refused: URL resolves them, and the request would go elsewhere.
 */
const segment = (key: string, value: unknown): string => {
  const text = wellFormed(key, value);
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${key}: "${text}" cannot be part of a path.`);
  return encodeURIComponent(text);
};

/** A value as text. Half of a surrogate pair is refused: a URL would carry another character, and name another contact. */
const wellFormed = (key: string, value: unknown): string => {
  const text = String(value);
  if (text.isWellFormed()) return text;
  throw new TypeError(`${key}: must be well-formed Unicode text; it has half of a surrogate pair.`);
};

const read = async (response: Response, now: () => number): Promise<never> => {
  const text = await readAnswerText(response, MAX_ANSWER);
  const body = parse(text ?? "");
  // The host has acted on a 2xx even if its body cannot be read: it must not look like a failure worth a retry.
  if (response.ok) return body as never;
  const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const nested =
    typeof fields.error === "object" && fields.error !== null ? (fields.error as Record<string, unknown>) : {};
  const said = [fields.message, nested.message, nested.reason, fields.error].find(
    (m) => typeof m === "string" && m !== "",
  );
  const requestId = response.headers.get("x-request-id");
  const retryAfter = parseRetryAfter(response.headers.get("Retry-After"), now());
  throw new ApiError(
    response.status,
    (said as string | undefined) ??
      `The host answered ${response.status} ${text === undefined ? `with more than ${MAX_ANSWER} bytes` : "without a message"}.`,
    {
      ...(typeof fields.code === "string" ? { code: fields.code } : {}),
      ...(requestId === null ? {} : { requestId }),
      ...(retryAfter === undefined ? {} : { retryAfter }),
    },
  );
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds. `now`: Unix ms, from which a date is counted. */
export const parseRetryAfter = (value: string | null, now: number): number | undefined => {
  if (value === null || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
