import type { Contract, Operation, RequestInput, Response as ResponseOf } from "./operation.ts";
import { operationsOf, pathParameters } from "./operation.ts";

/** A refusal of the host: any answer that is not 2xx. Network errors and aborts are thrown as `fetch` throws them. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  /** The host's own code, where it gives one. */
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
};

/**
 * Derives the typed client of a contract. No retries: the caller decides.
 *
 * @throws {ApiError} on any answer that is not 2xx; network errors as `fetch` throws them
 */
export const clientOf = <C extends Contract>(contract: C, config: ClientConfig): Client<C> => {
  const base = `${config.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, "")}/v1`;
  const send = config.fetch ?? ((url: string, init: RequestInit) => fetch(url, init));
  const client: Record<string, Record<string, unknown>> = {};
  for (const { name, operation } of operationsOf(contract)) {
    const [group = "", method = ""] = name.split(".");
    client[group] ??= {};
    client[group][method] = async (request: Record<string, unknown> = {}, options: CallOptions = {}) =>
      read(await send(...toRequest(base, operation, request, options, config)));
  }
  return client as Client<C>;
};

const toRequest = (
  base: string,
  operation: Operation,
  request: Record<string, unknown>,
  options: CallOptions,
  config: ClientConfig,
): [url: string, init: RequestInit] => {
  const inPath = new Set(pathParameters(operation.path));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, key: string) => segment(key, request[key]));
  const rest = Object.fromEntries(
    Object.entries(request).filter(([key, value]) => !inPath.has(key) && value !== undefined),
  );
  const hasBody = operation.method === "POST" || operation.method === "PUT";
  const url = new URL(base + path);
  if (!hasBody) for (const [key, value] of Object.entries(rest)) url.searchParams.set(key, String(value));
  const init: RequestInit = {
    method: operation.method,
    headers: {
      ...config.headers,
      Authorization: `Bearer ${config.apiKey}`,
      ...(hasBody ? { "Content-Type": "application/json" } : {}),
      ...(options.idempotencyKey === undefined ? {} : { "Idempotency-Key": options.idempotencyKey }),
    },
    ...(hasBody ? { body: JSON.stringify(rest) } : {}),
    ...(options.signal ? { signal: options.signal } : {}),
    redirect: "manual",
  };
  return [url.href, init];
};

/** A value as one segment of a path. URL takes `.` and `..` for steps, encoded or not: the call would go elsewhere. */
const segment = (key: string, value: unknown): string => {
  const text = String(value);
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${key}: "${text}" cannot be part of a path.`);
  return encodeURIComponent(text);
};

const read = async (response: Response): Promise<never> => {
  const text = await response.text();
  const body = parse(text);
  // A 2xx whose body cannot be read has still been acted on: it must not look like a failure that is worth a retry.
  if (response.ok) return body as never;
  const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const nested =
    typeof fields.error === "object" && fields.error !== null ? (fields.error as Record<string, unknown>) : {};
  const said = [fields.message, nested.message, nested.reason, fields.error].find(
    (m) => typeof m === "string" && m !== "",
  );
  const requestId = response.headers.get("x-request-id");
  const retryAfter = parseRetryAfter(response.headers.get("Retry-After"));
  throw new ApiError(
    response.status,
    (said as string | undefined) ?? `The host answered ${response.status} without a message.`,
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

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds; a date is taken relative to now. */
export const parseRetryAfter = (value: string | null): number | undefined => {
  if (value === null || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
};
