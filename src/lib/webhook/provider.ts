import { readAnswerText } from "../contract/body.ts";
import { parseRetryAfter } from "../contract/client.ts";
import { isObject, type Json } from "../util/json.ts";
import { neverLeft } from "../util/never-left.ts";

/** Bytes. A page of 100 large objects has about 1 MB. */
const MAX_ANSWER = 10_000_000;

export type Api = {
  /** A read-only key. */
  key: string;
  /** Without a slash at its end. */
  baseUrl: string;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Unix ms. */
  now(): number;
};

/** A person's identifiers, or the reason why the person no longer exists. */
export type FoundPerson = { email?: string; userId?: string } | { gone: string };

/** Looks up a person by ref. Implemented in `src/handlers/<provider>/api.ts`. */
export type FetchBackApi = {
  /**
   * @param userIdField metadata field with the team's user id
   * @throws `ProviderError` without an answer; the request is retried. An error of a request that never left stays as it is
   */
  find(ref: string, api: Api, userIdField?: string): Promise<FoundPerson>;
};

/** The event with its data, or the reason why there is none any more. */
export type FetchedEvent =
  | {
      /** Of the webhook that has the same event with its data. */
      id?: string;
      type: string;
      /** Unix ms, if known. */
      occurredAt: number | undefined;
      body: Json;
    }
  | { gone: string };

/** Fetches what a thin event names. Implemented in `src/handlers/<provider>/thin-events.ts`. */
export type ThinEvents = {
  /** The type that has rules, and the fetched object (`customer cus_1`). Undefined for an event with its data. */
  read(body: unknown): { type: string; object: string } | undefined;
  /** @throws `ProviderError` without an answer; the request is retried. An error of a request that never left stays as it is */
  fetch(body: unknown, api: Api): Promise<FetchedEvent>;
};

/** Failed request to a provider. The message contains no personal data or key. */
export class ProviderError extends Error {
  override name = "ProviderError";
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  readonly retryAfter: number | undefined;

  constructor(message: string, status?: number, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/**
 * Fetches an object; "not found" only for a 404 with an error or message, because proxies send 404 too. Throws
 * `ProviderError`, or the error of a request that never left.
 */
export const getObject = async (
  { key, baseUrl, fetch, now }: Api,
  path: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Json | "not found"> => {
  let response: Response;
  try {
    const headers = {
      Authorization: `Bearer ${key}`,
      Accept: "application/json",
      "User-Agent": "mailspan-bridge",
      ...more,
    };
    response = await fetch(baseUrl + path, { method: "GET", headers });
  } catch (error) {
    if (neverLeft(error)) throw error;
    const late = (error as Error).name === "TimeoutError";
    throw new ProviderError(late ? "It did not answer in time." : "It could not be reached.");
  }
  const { status } = response;
  if (!response.ok && status !== 404) {
    await response.body?.cancel();
    const retryAfter = parseRetryAfter(response.headers.get("Retry-After"), now());
    throw new ProviderError(`It answered with status ${status}.`, status, retryAfter);
  }
  const text = await readAnswerText(response, MAX_ANSWER).catch(() => undefined);
  const json = parseJson(text ?? "");
  if (!isObject(json)) throw new ProviderError("Its answer is not a JSON object.", status);
  if (status !== 404) return json;
  if ("error" in json || "errors" in json || "message" in json) return "not found";
  throw new ProviderError("Its answer is not a refusal of the provider.", status);
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
