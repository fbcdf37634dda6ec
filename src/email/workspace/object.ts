import { DurableObject } from "cloudflare:workers";
import type { Reply } from "../../lib/contract/mount.ts";
import { randomId } from "../../lib/util/id.ts";
import { log } from "../../lib/util/log.ts";
import { migrate } from "../../lib/util/migrate.ts";
import { type Env, LOCAL_MAIL_DOMAIN, sendingIpsOf } from "../env.ts";
import { configuredSender } from "../senders/configured.ts";
import type { Listed } from "../types/directory.ts";
import type { AdminCall, TeamCall, WorkspaceRpc } from "../types/workspace.ts";
import { type Context, nothing } from "./base/context.ts";
import { migrations } from "./base/schema.ts";
import { runAdmin } from "./runtime/admin.ts";
import { runCall } from "./runtime/call.ts";
import { nextWake, purge } from "./runtime/upkeep.ts";
import { deliver } from "./sending/deliver.ts";
import { dueSends } from "./sending/sends.ts";
import { isTeam } from "./team/team.ts";

/** Most mails taken up per run of the alarm. */
const SENDS_PER_ALARM = 100;

/** All of one team, in one object. Thin: the work is in plain functions over its storage. */
export class Workspace extends DurableObject<Env> implements WorkspaceRpc {
  /** The alarm that is set, in Unix ms: spares a row written for every one that would not be earlier. */
  #alarm = Number.POSITIVE_INFINITY;
  readonly #sender = configuredSender(this.env);
  readonly #sendingIps = sendingIpsOf(this.env);

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    if (!isTeam(this.#sql)) return;
    migrate(state.storage, migrations);
    // Re-arms what a lost alarm, or a sender configured since, has left waiting.
    state.blockConcurrencyWhile(async () => {
      this.#alarm = (await state.storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
      this.#wake(nextWake(this.#sql, Date.now(), this.#sender !== undefined));
    });
  }

  async call(request: TeamCall): Promise<Reply> {
    const context = this.#context(Date.now());
    const reply = runCall(this.ctx.storage, context, request);
    const { sends, wake } = context.after;
    this.#wake(wake);
    if (sends.length > 0) this.ctx.waitUntil(this.#deliver(sends));
    return reply;
  }

  async admin(call: AdminCall): Promise<{ reply: Reply; listed: Listed | undefined }> {
    return runAdmin(this.ctx.storage, this.#context(Date.now()), call);
  }

  override async alarm(): Promise<void> {
    this.#alarm = Number.POSITIVE_INFINITY;
    const now = Date.now();
    try {
      purge(this.#sql, now);
      await this.#deliver(dueSends(this.#sql, now, SENDS_PER_ALARM));
      this.#wake(nextWake(this.#sql, Date.now(), this.#sender !== undefined));
    } catch (error) {
      // Thrown, it would be retried six times and then forgotten.
      log("alarm_failed", { error: error instanceof Error ? error.message : String(error) });
      this.#wake(Date.now() + 60_000);
    }
  }

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  #context(now: number): Context {
    const domain = this.env.MAIL_DOMAIN || LOCAL_MAIL_DOMAIN;
    return { sql: this.#sql, now, id: randomId, domain, sendingIps: this.#sendingIps, after: nothing() };
  }

  async #deliver(numbers: readonly number[]): Promise<void> {
    if (!this.#sender) return;
    const outside = { now: Date.now, random: Math.random, wake: (at: number) => this.#wake(at) };
    await deliver(this.#sql, this.#sender, outside, numbers);
  }

  #wake(at: number): void {
    if (at >= this.#alarm) return;
    this.#alarm = at;
    void this.ctx.storage.setAlarm(at);
  }
}
