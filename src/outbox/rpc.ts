import type { Outbox } from "./outbox.ts";

type Called =
  | (
      | "accept"
      | "backfill"
      | "forward"
      | "refused"
      | "wrongTokens"
      | "noteAct"
      | "audit"
      | "refusals"
      | "metrics"
      | "status"
      | "health"
      | "pulse"
      | "pause"
      | "erase"
    )
  | ("show" | "searchWebhooks" | "searchDeliveries" | "retry" | "discard" | "sendAgain" | "retryAll")
  | ("stored" | "storedOne" | "replay" | "alerts" | "causes" | "person" | "findPeople" | "activity" | "sourceFacts");

/** The object's methods as promises. Cloudflare's `DurableObjectStub` type turns stored deliveries into `never`. */
export type OutboxRpc = {
  [Method in Called]: (...given: Parameters<Outbox[Method]>) => Promise<Awaited<ReturnType<Outbox[Method]>>>;
};
