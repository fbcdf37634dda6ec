import { type Client, type ClientConfig, clientOf } from "./contract/client.ts";
import { type V1, v1 } from "./contract/v1.ts";

export { ApiError, type CallOptions, type ClientConfig, ForeignAnswerError } from "./contract/client.ts";

const connect = clientOf(v1);

/**
 * Creates a v1 API client, published as `mailspan/client`.
 * @example
 * const api = createClient({ baseUrl: "http://127.0.0.1:8788", apiKey });
 * await api.events.send({ email: "ada@example.com", eventName: "signedUp" }, { idempotencyKey: "signup-42" });
 */
export const createClient = (config: ClientConfig): Client<V1> => connect({ now: Date.now, ...config });
