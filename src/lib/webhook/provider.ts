import { readAnswerText } from "../contract/body.ts";
import { parseRetryAfter } from "../contract/client.ts";
import { isObject, type Json } from "../util/json.ts";

/** Most bytes of an answer. A page of 100 large objects has about 1 MB. */
const MAX_ANSWER = 10_000_000;

/** Access to a provider's API. */
export type Api = {
  /** A read-only key. */
  key: string;
  /** Without a slash at its end. */
  baseUrl: string;
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Unix ms. */
  now(): number;
};

/** The identifiers that a provider has for a ref (maybe none), or the reason why the person no longer exists. */
export type FoundPerson = { email?: string; userId?: string } | { gone: string };

/** Asks a provider for the person behind a ref. Implemented in `src/handlers/<provider>/api.ts`. */
export type FetchBackApi = {
  /**
   * @param userIdField name of the metadata field that holds the team's own user id
   * @throws `ProviderError` where the provider gives no answer; the fetch-back is retried later
   */
  find(ref: string, api: Api, userIdField?: string): Promise<FoundPerson>;
};

/** A request to a provider's API failed. The message contains no personal data and no part of the key. */
export class ProviderError extends Error {
  override name = "ProviderError";
  /** HTTP status; undefined where no answer came. */
  readonly status: number | undefined;
  /** Milliseconds that the provider asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(message: string, status?: number, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/**
 * Fetches one object; "not found" on a 404 of the provider. Throws `ProviderError` on any other status, and on a body that
 * is not a JSON object. A 404 of something in front of the provider does not say that the object does not exist: a
 * provider's own one has an error or a message.
 */
export const getObject = async ({ key, baseUrl, fetch, now }: Api, path: string): Promise<Json | "not found"> => {
  let response: Response;
  try {
    const headers = { Authorization: `Bearer ${key}`, Accept: "application/json", "User-Agent": "mailspan-bridge" };
    response = await fetch(baseUrl + path, { method: "GET", headers });
  } catch (error) {
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
