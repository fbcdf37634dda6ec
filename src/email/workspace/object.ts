import { DurableObject } from "cloudflare:workers";
import type { Reply } from "../../lib/contract/mount.ts";
import { randomId } from "../../lib/util/id.ts";
import { log } from "../../lib/util/log.ts";
import { migrate } from "../../lib/util/migrate.ts";
import { type Env, LOCAL_MAIL_DOMAIN, sendingIpsOf } from "../env.ts";
import { configuredSender } from "../senders/configured.ts";
import type { AdminReply, AdminRequest, TeamRequest, UploadPlace, WorkspaceRpc } from "../types/workspace.ts";
import { type Context, nothing } from "./base/context.ts";
import { migrations } from "./base/migrations.ts";
import { expireUploads, nextExpiry, placeOfUpload, uploadArrived } from "./content/uploads.ts";
import { runAdmin } from "./runtime/admin.ts";
import { runRequest } from "./runtime/run.ts";
import { nextWake, runChores } from "./runtime/upkeep.ts";
import { deliver } from "./sending/deliver.ts";
import { dueSends } from "./sending/sends.ts";
import { isTeam } from "./team/team.ts";

/** Most mails sent per run of the alarm. */
const SENDS_PER_ALARM = 100;

/** All data of one team, in one object. Thin: the work is in plain functions over its storage. */
export class Workspace extends DurableObject<Env> implements WorkspaceRpc {
  /** The alarm that is set, in Unix ms. Setting an alarm writes a row, so it is set only when it must be earlier. */
  #alarm = Number.POSITIVE_INFINITY;
  readonly #sender = configuredSender(this.env);
  readonly #sendingIps = sendingIpsOf(this.env);

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    if (!isTeam(this.#sql)) return;
    migrate(state.storage, migrations);
    // Sets the alarm again for mail left waiting by a lost alarm or by a missing sender.
    state.blockConcurrencyWhile(async () => {
      this.#alarm = (await state.storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
      this.#wake(nextWake(this.#sql, Date.now(), this.#sender !== undefined));
      if (this.env.UPLOADS) this.#wake(nextExpiry(this.#sql));
    });
  }

  async run(request: TeamRequest): Promise<Reply> {
    const context = this.#context(Date.now(), request.origin);
    const reply = runRequest(this.ctx.storage, context, request);
    const { sends, wake } = context.after;
    this.#wake(wake);
    if (sends.length > 0) this.ctx.waitUntil(this.#deliver(sends));
    return reply;
  }

  async admin(request: AdminRequest): Promise<AdminReply> {
    return runAdmin(this.ctx.storage, this.#context(Date.now()), request);
  }

  async placeOfUpload(id: string): Promise<UploadPlace | undefined> {
    return isTeam(this.#sql) ? placeOfUpload(this.#sql, Date.now(), id) : undefined;
  }

  async uploadArrived(id: string): Promise<boolean> {
    return isTeam(this.#sql) && uploadArrived(this.#sql, Date.now(), id);
  }

  override async alarm(): Promise<void> {
    this.#alarm = Number.POSITIVE_INFINITY;
    const now = Date.now();
    try {
      await runChores(this.#sql, now);
      await this.#deliver(dueSends(this.#sql, now, SENDS_PER_ALARM));
      if (this.env.UPLOADS) this.#wake(await expireUploads(this.#sql, this.env.UPLOADS, now));
      this.#wake(nextWake(this.#sql, Date.now(), this.#sender !== undefined));
    } catch (error) {
      // Cloudflare retries an alarm that throws six times, then drops it.
      log("alarm_failed", { error: error instanceof Error ? error.message : String(error) });
      this.#wake(Date.now() + 60_000);
    }
  }

  get #sql(): SqlStorage {
    return this.ctx.storage.sql;
  }

  /** `origin`: of the request; no answer to the operator has addresses. */
  #context(now: number, origin = ""): Context {
    const domain = this.env.MAIL_DOMAIN || LOCAL_MAIL_DOMAIN;
    return {
      ...{ sql: this.#sql, now, id: randomId, origin, domain, sendingIps: this.#sendingIps },
      ...{ hasBucket: this.env.UPLOADS !== undefined, after: nothing() },
    };
  }

  async #deliver(numbers: readonly number[]): Promise<void> {
    if (!this.#sender) return;
    const dependencies = { now: Date.now, random: Math.random, wake: (at: number) => this.#wake(at) };
    await deliver(this.#sql, this.#sender, dependencies, numbers);
  }

  #wake(at: number): void {
    if (at >= this.#alarm) return;
    this.#alarm = at;
    void this.ctx.storage.setAlarm(at);
  }
}
