import { DurableObject } from "cloudflare:workers";
import { countedSql } from "../../lib/counted-sql.ts";
import { migrate } from "../../lib/util/migrate.ts";
import { publicUrlOf } from "../../lib/util/public-url.ts";
import { createContents, handOver } from "../delivery/mailer/hand-over.ts";
import { MailerQueue } from "../delivery/mailer/mailer-queue.ts";
import { noteIn, schema } from "../delivery/mailer/note.ts";
import { createFinish } from "../delivery/mailer/sign.ts";
import { mailSender } from "../delivery/senders/compose-and-send.ts";
import { configuredSenders } from "../delivery/senders/configured.ts";
import { dkimSecretsOf, type Env } from "../env.ts";
import { rowOf, tokenOf } from "../mail/bounces/return-path-token.ts";
import { confirmLinkOf } from "../mail/links/urls.ts";
import { type Answer, type Claim, type MailerRpc, type Order, readMailerName } from "../types/mailer-rpc.ts";
import type { LinkTarget } from "../types/recipient.ts";

/** Composes and sends mail of one team, outside its Workspace. */
export class Mailer extends DurableObject<Env> implements MailerRpc {
  readonly #senders = configuredSenders(this.env);
  #queue: MailerQueue | undefined;
  /** Rows that no answer has told. */
  #rows = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    migrate(state.storage, schema);
  }

  async exchange(name: string, order: Order): Promise<Answer> {
    const answer = await this.#queueOf(name).exchange(order);
    if ("superseded" in answer) return answer;
    const rows = this.#rows;
    this.#rows = 0;
    return { ...answer, rows };
  }

  async recall(name: string, claims: readonly Claim[]): Promise<Claim[]> {
    return this.#queueOf(name).recall(claims);
  }

  #queueOf(name: string): MailerQueue {
    this.#queue ??= this.#createQueue(name);
    return this.#queue;
  }

  #createQueue(name: string): MailerQueue {
    const { team, mailClass } = readMailerName(name);
    // A stub that threw is broken, so each call has its own.
    const workspace = () => this.env.WORKSPACE.getByName(team);
    const secret = this.env.API_KEY_SECRET || undefined;
    const finish = createFinish({
      team,
      secrets: dkimSecretsOf(this.env),
      now: () => Date.now(),
      signingKey: (domain) => workspace().signingKey(domain, mailClass),
      tokenOf: async ({ id }) => {
        const n = rowOf(id);
        return n !== undefined && secret ? tokenOf({ team, n }, secret) : undefined;
      },
    });
    const senderOf = (domain: string) => mailSender(this.#senders(mailClass, domain), finish);
    const contentOf = createContents((revision) => workspace().content(revision));
    const attachmentsOf = (n: number) => workspace().attachments(n);
    const links = { secret, publicUrl: publicUrlOf(this.env) };
    const confirmUrlOf = async (base: string, target: LinkTarget) => secret && confirmLinkOf(secret, base, target);
    return new MailerQueue({
      mailClass,
      now: () => Date.now(),
      notes: noteIn(
        countedSql(this.ctx.storage.sql, (rows) => {
          this.#rows += rows;
        }),
        () => this.ctx.storage.sync(),
      ),
      wait: (ms, until) => {
        let timer: ReturnType<typeof setTimeout>;
        const late = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, ms);
        });
        return Promise.race([until, late]).finally(() => clearTimeout(timer));
      },
      handOver: (send) => handOver({ team, senderOf, contentOf, attachmentsOf, links, confirmUrlOf }, send),
    });
  }
}
