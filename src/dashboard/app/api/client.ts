import type { Client } from "../../../lib/contract/client.ts";
import type { Contract } from "../../../lib/contract/operation.ts";
import { pageWords } from "./page-words.ts";
import { timed } from "./service-time.ts";

/** Operations by group and name: method, path, and true where the fields travel in a JSON body. */
export type RouteTable = Record<string, Record<string, readonly [method: string, path: string, inBody: boolean]>>;

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

  constructor(status: number, body: Refused, headers = new Headers()) {
    super(body.message);
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
  [method, path, inBody]: readonly [string, string, boolean],
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
      methods[name] = (
        fields: Record<string, unknown> = {},
        options: { signal?: AbortSignal; idempotencyKey?: string } = {},
      ) => send(requestOf(route, base, fields), options);
    }
    client[group] = methods;
  }
  return client as Client<C>;
};

const send = async (
  { method, url, body }: ReturnType<typeof requestOf>,
  { signal, idempotencyKey }: { signal?: AbortSignal; idempotencyKey?: string },
): Promise<unknown> => {
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
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new RequestError(0, NO_ANSWER);
  });
  noticeDate(answer.headers.get("Date"));
  const text = await answer.text();
  if (!answer.ok) throw new RequestError(answer.status, refusedIn(answer.status, text), answer.headers);
  if (text === "") return undefined;
  return answer.headers.get("Content-Type")?.startsWith("application/json") ? JSON.parse(text) : text;
};
