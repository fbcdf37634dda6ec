import { DurableObject } from "cloudflare:workers";
import { type Env, mayCallPrivate } from "../env.ts";
import { deliverBatch } from "../notifier/deliver.ts";
import { handOut } from "../notifier/hand-out.ts";
import type { Via } from "../types/feedback.ts";
import type { Attempted, NotifierRpc, OutgoingBatch, TeamFeedback } from "../types/notifier-rpc.ts";

/** Posts outgoing webhooks to one endpoint, or hands feedback to teams. Stores nothing. */
export class Notifier extends DurableObject<Env> implements NotifierRpc {
  deliver(batch: OutgoingBatch): Promise<Attempted[]> {
    const allowPrivate = mayCallPrivate(this.env);
    return deliverBatch({ fetch: (url, init) => fetch(url, init), now: () => Date.now(), allowPrivate }, batch);
  }

  handOut(via: Via, teams: TeamFeedback): Promise<number> {
    return handOut(this.env, via, teams);
  }
}
