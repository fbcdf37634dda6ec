import { DurableObject } from "cloudflare:workers";
import { type Env, mayCallPrivate, webhookSecretsOf } from "../env.ts";
import { deliverBatch } from "../notifier/deliver.ts";
import { handOut } from "../notifier/hand-out.ts";
import { openSecret } from "../notifier/secrets.ts";
import type { Via } from "../types/feedback.ts";
import type { Attempted, NotifierRpc, OutgoingBatch, TeamFeedback } from "../types/notifier-rpc.ts";

/** Posts outgoing webhooks to one endpoint, or hands feedback to teams. Stores nothing. */
export class Notifier extends DurableObject<Env> implements NotifierRpc {
  async deliver(batch: OutgoingBatch): Promise<Attempted[]> {
    const allowPrivate = mayCallPrivate(this.env);
    const opened = await Promise.all(batch.secrets.map((secret) => openSecret(webhookSecretsOf(this.env), secret)));
    const secrets = opened.filter((secret) => secret !== undefined);
    const dependencies = {
      fetch: (url: string, init: RequestInit) => fetch(url, init),
      now: () => Date.now(),
      allowPrivate,
    };
    return deliverBatch(dependencies, { ...batch, secrets });
  }

  handOut(via: Via, teams: TeamFeedback): Promise<number> {
    return handOut(this.env, via, teams);
  }
}
