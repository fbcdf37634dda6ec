import { parseRetryAfter } from "../contract/client.ts";
import { isObject, type Json } from "../util/json.ts";

/** How a provider's API is asked. */
export type Api = {
  /** A key that may read, and nothing else. */
  key: string;
  /** Without a slash at its end. */
  baseUrl: string;
  fetch(url: string, init: RequestInit): Promise<Response>;
};

/** What a provider knows of a ref: identifiers (maybe none), or in words why there is no such person. */
export type Found = { email?: string; userId?: string } | { gone: string };

/** Asks a provider whose id a ref is. One file in `src/handlers` implements it for a provider. */
export type FetchBack = {
  /**
   * @param userIdField name of the metadata field with the team's own id of a person, where it has one
   * @throws `ProviderError` where the provider does not answer the question: then it is asked again later
   */
  find(ref: string, api: Api, userIdField?: string): Promise<Found>;
};

/** A provider's API did not answer as asked. The message names no person and holds nothing of the key. */
export class ProviderError extends Error {
  override name = "ProviderError";
  /** HTTP status, if there was an answer. */
  readonly status: number | undefined;
  /** Ms the provider asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(message: string, status?: number, retryAfter?: number) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** An object of a provider's API, or the status it gave instead. Anything but an object of 2xx or a 404 throws. */
export const getObject = async ({ key, baseUrl, fetch }: Api, path: string): Promise<Json | "not found"> => {
  let response: Response;
  try {
    const headers = { Authorization: `Bearer ${key}`, Accept: "application/json", "User-Agent": "mailspan-bridge" };
    response = await fetch(baseUrl + path, { method: "GET", headers });
  } catch (error) {
    const late = (error as Error).name === "TimeoutError";
    throw new ProviderError(late ? "It did not answer in time." : "It could not be reached.");
  }
  const { status } = response;
  if (!response.ok) {
    await response.body?.cancel();
    if (status === 404) return "not found";
    const retryAfter = parseRetryAfter(response.headers.get("Retry-After"));
    throw new ProviderError(`It answered with status ${status}.`, status, retryAfter);
  }
  const json: unknown = await response.json().catch(() => undefined);
  if (isObject(json)) return json;
  throw new ProviderError("Its answer is not a JSON object.", status);
};
