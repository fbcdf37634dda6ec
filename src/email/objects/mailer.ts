import { DurableObject } from "cloudflare:workers";
import { migrate } from "../../lib/util/migrate.ts";
import { publicUrlOf } from "../../lib/util/public-url.ts";
import { createContents, handOver } from "../delivery/mailer/hand-over.ts";
import { MailerQueue } from "../delivery/mailer/mailer-queue.ts";
import { createFinish } from "../delivery/mailer/sign.ts";
import { schema, startedClaimsIn } from "../delivery/mailer/started.ts";
import { mailSender } from "../delivery/senders/compose-and-send.ts";
import { configuredSenders } from "../delivery/senders/configured.ts";
import { dkimSecretsOf, type Env } from "../env.ts";
import { rowOf, tokenOf } from "../mail/bounces/return-path-token.ts";
import { confirmLinkOf } from "../mail/links/urls.ts";
import { type Batch, type Claim, type Fate, type MailerRpc, readMailerName } from "../types/mailer-rpc.ts";
import type { LinkTarget } from "../types/recipient.ts";

/** Composes and sends mail of one team, outside its Workspace. */
export class Mailer extends DurableObject<Env> implements MailerRpc {
  readonly #senders = configuredSenders(this.env);
  readonly #started = startedClaimsIn(this.ctx.storage.sql, () => this.ctx.storage.sync());
  #queue: MailerQueue | undefined;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, schema);
    this.#started.purge(Date.now());
  }

  deliver(name: string, batch: Batch): Promise<void> {
    return this.#queueOf(name).deliver(batch);
  }

  async reclaim(name: string, claims: readonly Claim[]): Promise<Fate[]> {
    return this.#queueOf(name).reclaim(claims);
  }

  async recall(name: string, claims: readonly Claim[]): Promise<Fate[]> {
    return this.#queueOf(name).recall(claims);
  }

  #queueOf(name: string): MailerQueue {
    this.#queue ??= this.#createQueue(name);
    return this.#queue;
  }

  #createQueue(name: string): MailerQueue {
    const { team, mailClass } = readMailerName(name);
    const workspace = this.env.WORKSPACE.getByName(team);
    const secret = this.env.API_KEY_SECRET || undefined;
    const finish = createFinish({
      team,
      secrets: dkimSecretsOf(this.env),
      now: () => Date.now(),
      signingKey: (domain) => workspace.signingKey(domain, mailClass),
      tokenOf: async ({ id }) => {
        const n = rowOf(id);
        return n !== undefined && secret ? tokenOf({ team, n }, secret) : undefined;
      },
    });
    const senderOf = (domain: string) => mailSender(this.#senders(mailClass, domain), finish);
    const contentOf = createContents((revision) => workspace.content(revision));
    const attachmentsOf = (n: number) => workspace.attachments(n);
    const links = { secret, publicUrl: publicUrlOf(this.env) };
    const confirmUrlOf = async (base: string, target: LinkTarget) => secret && confirmLinkOf(secret, base, target);
    return new MailerQueue({
      mailClass,
      now: () => Date.now(),
      started: this.#started,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      report: (results, wants) => workspace.report(name, results, wants),
      handOver: (send) => handOver({ team, senderOf, contentOf, attachmentsOf, links, confirmUrlOf }, send),
    });
  }
}
