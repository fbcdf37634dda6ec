import { DurableObject } from "cloudflare:workers";
import { type Env, mayCallPrivate, resolverOf, webhookSecretsOf } from "../env.ts";
import { networkResolver } from "../mail/dns/resolver.ts";
import { deliverBatch } from "../notifier/deliver.ts";
import { handOut } from "../notifier/hand-out.ts";
import { openSecret } from "../notifier/secrets.ts";
import { whyUnreachable } from "../notifier/unreachable.ts";
import type { Via } from "../types/feedback.ts";
import type { Attempted, NotifierRpc, OutgoingBatch, TeamFeedback } from "../types/notifier-rpc.ts";

/** Posts outgoing webhooks to one endpoint, or hands feedback to teams. Stores nothing. */
export class Notifier extends DurableObject<Env> implements NotifierRpc {
  async deliver(batch: OutgoingBatch): Promise<Attempted[]> {
    const opened = await Promise.all(batch.secrets.map((secret) => openSecret(webhookSecretsOf(this.env), secret)));
    const secrets = opened.filter((secret) => secret !== undefined);
    const dependencies = { ...this.#network(), now: () => Date.now() };
    return deliverBatch(dependencies, { ...batch, secrets });
  }

  handOut(via: Via, teams: TeamFeedback): Promise<number> {
    return handOut(this.env, via, teams);
  }

  /** Cloudflare has no way to private networks; the workerd of `npm start` has one that refuses them at the connection. */
  #network() {
    const allowPrivate = mayCallPrivate(this.env);
    const { PUBLIC_NETWORK } = this.env;
    if (allowPrivate || !PUBLIC_NETWORK)
      return { allowPrivate, fetch: (url: string, init: RequestInit) => fetch(url, init) };
    const resolve = networkResolver(resolverOf(this.env));
    return {
      allowPrivate,
      fetch: (url: string, init: RequestInit) => PUBLIC_NETWORK.fetch(url, init),
      whyUnreachable: (host: string) => whyUnreachable(resolve, host),
    };
  }
}
