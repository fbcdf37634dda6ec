import { readAnswerText } from "./body.ts";
import type {
  AnswerForm,
  AnswerForms,
  Contract,
  Operation,
  RequestInput,
  Response as ResponseOf,
} from "./operation.ts";
import { formsOf, hasBody, pathParameters, takesNothing } from "./operation.ts";

/** A larger answer counts as unreadable. */
const MAX_ANSWER = 1_000_000;

/** An error answer of the API. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string | undefined;
  readonly requestId: string | undefined;
  /** Milliseconds to wait, from `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** True for a 401 without `success: false`; proxies send such answers too. */
  readonly plain: boolean;

  constructor(
    status: number,
    message: string,
    details: { code?: string; requestId?: string; retryAfter?: number; plain?: boolean } = {},
  ) {
    super(message);
    this.status = status;
    this.code = details.code;
    this.requestId = details.requestId;
    this.retryAfter = details.retryAfter;
    this.plain = details.plain ?? false;
  }
}

/**
 * An answer not in the form of the API, for example from a proxy. The result is unknown: repeat with the same
 * idempotency key.
 */
export class ForeignAnswerError extends Error {
  override readonly name = "ForeignAnswerError";
  readonly status: number;
  /** Milliseconds to wait, from `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(status: number, message: string, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

export type CallOptions = { idempotencyKey?: string; signal?: AbortSignal };

type Arguments<O extends Operation> =
  RequestInput<O> extends Record<string, never>
    ? [options?: CallOptions]
    : Record<string, never> extends RequestInput<O>
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
  headers?: Record<string, string>;
  /** Longest time of a call without a signal of its own, in ms: 30 000 by default, 0 for none. */
  timeoutMs?: number;
  now?: () => number;
};

const TIMEOUT_MS = 30_000;

type Route = {
  method: string;
  path: string;
  inPath: ReadonlySet<string>;
  inBody: boolean;
  takesNothing: boolean;
  forms: AnswerForms;
};

const routeOf = (operation: Operation): Route => ({
  method: operation.method,
  path: operation.path,
  inPath: new Set(pathParameters(operation.path)),
  inBody: hasBody(operation),
  takesNothing: takesNothing(operation),
  forms: formsOf(operation),
});

/**
 * Creates typed clients of a contract, without retries. They throw `ApiError`, `ForeignAnswerError` or network
 * errors.
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
        const call = async (request: Record<string, unknown> = {}, options: CallOptions = {}) =>
          readSuccess(await send(...toRequest(base, route, request, options, config)), route.forms, config.now());
        methods[name] = route.takesNothing ? (options?: CallOptions) => call({}, options) : call;
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
  const { timeoutMs = TIMEOUT_MS } = config;
  const signal = options.signal ?? (timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : undefined);
  const init: RequestInit = {
    method,
    headers: {
      ...config.headers,
      Authorization: `Bearer ${config.apiKey}`,
      ...(inBody ? { "Content-Type": "application/json" } : {}),
      ...(options.idempotencyKey === undefined ? {} : { "Idempotency-Key": options.idempotencyKey }),
    },
    ...(inBody ? { body: JSON.stringify(rest) } : {}),
    ...(signal ? { signal } : {}),
    redirect: "manual",
  };
  return [url.href, init];
};

/** `.` and `..` are refused: URL resolves them, and the request would go elsewhere. */
const segment = (key: string, value: unknown): string => {
  const text = wellFormed(key, value);
  if (/^\.{0,2}$/.test(text)) throw new TypeError(`${key}: "${text}" cannot be part of a path.`);
  return encodeURIComponent(text);
};

/** Half of a surrogate pair is refused: a URL would carry another character, and name another contact. */
const wellFormed = (key: string, value: unknown): string => {
  const text = String(value);
  if (text.isWellFormed()) return text;
  throw new TypeError(`${key}: must be well-formed Unicode text; it has half of a surrogate pair.`);
};

const readSuccess = async (answer: Response, forms: AnswerForms, now: number): Promise<unknown> => {
  const { status, headers } = answer;
  const read = readForm(answer, await readAnswerText(answer, MAX_ANSWER), forms);
  if (read.form === "success") return read.body;
  const retryAfter = parseRetryAfter(headers.get("Retry-After"), now);
  if (read.form === "foreign") throw new ForeignAnswerError(status, read.message, retryAfter);
  const requestId = headers.get("x-request-id");
  throw new ApiError(status, read.message, {
    ...(read.code === undefined ? {} : { code: read.code }),
    ...(read.plain ? { plain: true } : {}),
    ...(requestId === null ? {} : { requestId }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
};

type Read =
  | { form: "success"; body: unknown }
  | { form: "refusal"; message: string; code?: string; plain?: true }
  | { form: "foreign"; message: string };

/**
 * Finds the form of an answer.
 *
 * @param text its body; undefined if too large
 */
export const readForm = (
  answer: Pick<Response, "ok" | "status" | "headers">,
  text: string | undefined,
  { success, refusesWithSuccess }: AnswerForms,
): Read => {
  const body = parse(text ?? "");
  if (answer.ok && text !== undefined && hasForm(success, body)) return { form: "success", body };
  const message = refusalIn(answer, body, refusesWithSuccess);
  if (message === undefined) return { form: "foreign", message: describe(answer, text, body) };
  const { code, success: said } = isObject(body) ? body : {};
  const plain = answer.status === 401 && said !== false;
  return { form: "refusal", message, ...(typeof code === "string" ? { code } : {}), ...(plain ? { plain } : {}) };
};

const hasForm = (form: AnswerForm, value: unknown): boolean => {
  if (form === "string" || form === "undefined") return typeof value === form;
  if (form === "any") return Array.isArray(value) || (isObject(value) && value.success !== false);
  if ("list" in form) return Array.isArray(value) && value.every((item) => hasForm(form.list, item));
  if (!isObject(value)) return false;
  if (form.fields.includes("success")) return value.success === true;
  return value.success !== false && form.fields.some((name) => Object.hasOwn(value, name));
};

/**
 * Returns the message of an API error. `success: false` is required if published, because proxies also answer
 * `{"message": …}`.
 */
const refusalIn = (
  { status, headers }: Pick<Response, "status" | "headers">,
  body: unknown,
  refusesWithSuccess: boolean,
): string | undefined => {
  if (status < 400) return undefined;
  if (isObject(body) && body.success !== true) {
    const { message, success, error } = body;
    const isMarked = success === false || status === 401;
    const nested = isObject(error) ? [error.message, error.reason] : [error];
    const words = [...(isMarked || !refusesWithSuccess ? [message] : []), ...(isMarked ? nested : [])];
    const said = words.find((text) => typeof text === "string" && text !== "");
    if (said !== undefined) return said as string;
  }
  // No body of this status is published. Clients read these headers, which every answer of the API has.
  if (status === 429 && headers.has("x-ratelimit-limit")) return "The email service answered 429 without a message.";
  return undefined;
};

/** Never contains the answer's text, because it may name a person. */
const describe = (
  { status, headers }: Pick<Response, "status" | "headers">,
  text: string | undefined,
  body: unknown,
): string => {
  const type = /^[\w.+-]{1,40}\/[\w.+-]{1,60}/.exec(headers.get("Content-Type") ?? "")?.[0].toLowerCase();
  const who =
    status >= 500 ? "The email service or something in front of it" : "Something in front of the email service";
  return `${who} answered ${status} with ${whatIs(text, body, type)}${type === undefined ? "" : ` (${type})`}.`;
};

const whatIs = (text: string | undefined, body: unknown, type: string | undefined): string => {
  if (text === undefined) return `more than ${MAX_ANSWER} bytes`;
  if (text.trim() === "") return "an empty body";
  if (body !== undefined) return "JSON that is not in the form of the API";
  if (type === "text/html" || /^\s*</.test(text)) return "a web page";
  return type?.endsWith("json") ? "JSON that is cut or broken" : "text that is not JSON";
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Parses `Retry-After` (RFC 9110 §10.2.3) to milliseconds. `now`: Unix ms. */
export const parseRetryAfter = (value: string | null, now: number): number | undefined => {
  if (value === null || value.trim() === "") return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
};
