import { DurableObject } from "cloudflare:workers";
import { type Env, mayCallPrivate } from "../env.ts";
import { deliverBatch } from "../notifier/deliver.ts";
import type { Attempted, NotifierRpc, OutgoingBatch } from "../types/notifier-rpc.ts";

/** Posts outgoing webhooks to one endpoint. Stores nothing. */
export class Notifier extends DurableObject<Env> implements NotifierRpc {
  deliver(batch: OutgoingBatch): Promise<Attempted[]> {
    const allowPrivate = mayCallPrivate(this.env);
    return deliverBatch({ fetch: (url, init) => fetch(url, init), now: () => Date.now(), allowPrivate }, batch);
  }
}
