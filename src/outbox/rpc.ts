import type { Outbox } from "./outbox.ts";

/** The methods of the Outbox object that the Worker calls. */
type Called =
  | ("accept" | "backfill" | "forward" | "refused" | "refusals" | "metrics" | "status" | "health" | "pause" | "forget")
  | ("show" | "searchWebhooks" | "searchCalls" | "retry" | "discard" | "sendAgain" | "retryAll")
  | ("stored" | "storedOne" | "replay" | "alerts" | "causes" | "person" | "activity" | "sourceFacts");

/**
 * The Outbox object as the Worker sees it: each method of the class returns a promise. Cloudflare's own `DurableObjectStub`
 * type turns stored calls into `never`, because rules may hold values of type `unknown`.
 */
export type OutboxRpc = {
  [Method in Called]: (...given: Parameters<Outbox[Method]>) => Promise<Awaited<ReturnType<Outbox[Method]>>>;
};
