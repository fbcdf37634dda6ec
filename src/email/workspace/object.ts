import { DurableObject } from "cloudflare:workers";
import type { Reply } from "../../lib/contract/mount.ts";
import { countedSql } from "../../lib/counted-sql.ts";
import { readPlan } from "../../lib/plan.ts";
import { HOUR_MS, MINUTE_MS } from "../../lib/util/dates.ts";
import { isReserveLow, isStorageRefusal } from "../../lib/util/full-disk.ts";
import { randomId } from "../../lib/util/id.ts";
import { log } from "../../lib/util/log.ts";
import { publicUrlOf } from "../../lib/util/public-url.ts";
import { mailSettingsOf } from "../delivery/senders/mail-settings.ts";
import { routesOf } from "../delivery/senders/routes.ts";
import { chosenSender, readMailers } from "../delivery/senders/settings.ts";
import { cursorSecretOf, type Env, LOCAL_MAIL_DOMAIN, resolverOf, sendingIpsOf } from "../env.ts";
import { networkResolver } from "../mail/dns/resolver.ts";
import type { CompiledMessage } from "../types/compiled-message.ts";
import { DIRECTORY_NAME } from "../types/directory-rpc.ts";
import type { AggregateReport, UnreadReport } from "../types/dmarc-report.ts";
import type { SendFeedback, TakenMail, Via } from "../types/feedback.ts";
import type { Attachment, MailClass } from "../types/mail-handover.ts";
import type { SigningKey } from "../types/mailer-rpc.ts";
import type { Pulse, PulseRequest } from "../types/pulse.ts";
import type { LinkTarget, MailSource, RecipientAction, RecipientView } from "../types/recipient.ts";
import type { SharedDomain } from "../types/shared-domain.ts";
import type { Hit } from "../types/tracking.ts";
import type { AdminReply, AdminRequest, StoredUpload, TeamRequest, WorkspaceRpc } from "../types/workspace-rpc.ts";
import { findRevision } from "./content/messages.ts";
import { expireUploads, nextExpiry, storedUpload, uploadArrived } from "./content/uploads.ts";
import { atMost } from "./core/between-slices.ts";
import { type Context, nothing } from "./core/context.ts";
import { createDayRows } from "./core/day-rows.ts";
import { createEventCalls } from "./core/event-calls.ts";
import { RETENTION_MS } from "./core/retention.ts";
import { migrateTeam } from "./core/schema.ts";
import { campaignObstacles, isFull, maxBytesOf } from "./core/size.ts";
import { checkDomain, checkDueDomain, nextDomainCheck } from "./domains/check.ts";
import { addReport } from "./domains/dmarc-reports.ts";
import { signingKeyOf } from "./domains/sending-domain.ts";
import { viewSharedDomain } from "./domains/shared.ts";
import { askToConfirm } from "./double-opt-in/confirmation.ts";
import { senderProblems } from "./limits/handlers.ts";
import { openMailsOf, pulseOf } from "./operator/overview/pulse.ts";
import { answerAdmin, prepareAdmin, runAdmin } from "./requests/admin-requests.ts";
import { nextMail, nextWake, runChores } from "./requests/alarm.ts";
import { createRunPump, ENTRY_SLICES, RUN_SLICES } from "./requests/slice-pump.ts";
import { runRequest } from "./requests/v1-requests.ts";
import { readAttachments } from "./sending/attachments.ts";
import { createCopiesOf } from "./sending/copies.ts";
import { MailPump } from "./sending/mail-pump.ts";
import { actAsRecipient, mailSource, viewRecipient } from "./sending/marketing/recipient-page.ts";
import { targetOf } from "./sending/marketing/unsubscribes.ts";
import { reportMarketing } from "./sending/report-mail-events.ts";
import { applyFeedback } from "./sending/results/feedback.ts";
import { hasSend, takenSend } from "./sending/sends.ts";
import { isTeam, readTeam } from "./team/team.ts";
import { recordHit } from "./tracking/hits.ts";
import { createWebhookPump } from "./webhooks/webhook-pump.ts";
import { startRuns } from "./workflows/runs/trigger.ts";

/** Ms between chores while alarms follow each other. */
const CHORES_MS = 1_000;
/** An alarm that is overdue by more was lost, in ms. */
const LOST_MS = 2_000;
/** A pulse reports it after this, in ms. */
const LATE_MS = MINUTE_MS;

/** Returns false if the work failed, which is remembered. */
type Attempt = (work: () => unknown) => Promise<boolean>;

/** Stores all data of one team; plain functions do the work. */
export class Workspace extends DurableObject<Env> implements WorkspaceRpc {
  /** Setting an alarm writes a row, so it is set only to an earlier time. */
  #alarm = Number.POSITIVE_INFINITY;
  readonly #startedAt = Date.now();
  #alarmProblem: string | undefined;
  /** True if the last alarm left slices of workflows, campaigns or imports. */
  #hasSlices = false;
  #choresAt = 0;
  /** Unix ms; the Directory was told that the team is active. */
  #activeAt = 0;
  readonly #plan = readPlan(this.env);
  readonly #dayRows = createDayRows(this.#plan.dayRows);
  readonly #sql = countedSql(this.ctx.storage.sql, this.#dayRows.add);
  readonly #senders = {
    transactional: chosenSender(this.env, "transactional"),
    marketing: chosenSender(this.env, "marketing"),
  };
  readonly #mailers = readMailers(this.env);
  readonly #sendingIps = sendingIpsOf(this.env);
  readonly #mail = mailSettingsOf(this.env);
  readonly #publicUrl = publicUrlOf(this.env);
  readonly #dashboardUrl = publicUrlOf({ PUBLIC_URL: this.env.DASHBOARD_URL });
  readonly #calls = createEventCalls(this.#plan.calls);
  readonly #tools = {
    sql: this.#sql,
    now: () => Date.now(),
    random: () => Math.random(),
    transaction: <T>(work: () => T) => this.ctx.storage.transactionSync(work),
    team: () => readTeam(this.#sql).slug,
    wake: (at: number) => this.#wake(at),
    calls: this.#calls,
  };
  readonly #checks = {
    ...this.#tools,
    envelope: this.#mail.envelope,
    resolve: networkResolver(resolverOf(this.env)),
  };
  readonly #pump = new MailPump({
    ...this.#tools,
    mailer: (name) => this.env.MAILER.getByName(name),
    mailers: (mailClass) => (this.#senders[mailClass] ? this.#mailers[mailClass] : 0),
    budget: this.#plan,
    dayRows: this.#dayRows,
    isIdempotent: (mailClass) => this.#senders[mailClass]?.local === true,
    copiesOf: createCopiesOf((revision) => findRevision(this.#sql, revision)),
    ...routesOf(this.env),
    sendersChanged: () => this.ctx.waitUntil(this.#tellSenders()),
    recipients: (wanted) => this.#runs.claim(wanted),
    settled: () => {
      this.ctx.waitUntil(this.#runs.campaigns());
      this.#notify();
      this.#keepRows();
    },
    failed: (error) => this.#tellRefusal(error),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  readonly #adminTools = {
    secret: cursorSecretOf(this.env),
    checkDomain: async (id: string) => {
      await checkDomain(this.#checks, id);
      this.#wake(Math.min(nextDomainCheck(this.#sql), this.#runs.next()));
    },
    writeWarmups: (now: number) => this.#pump.limits.warmups.flush(now, 1),
  };
  readonly #webhooks = createWebhookPump({ ...this.#tools, notifier: (name) => this.env.NOTIFIER.getByName(name) });
  readonly #runs = createRunPump({
    context: () => this.#context(Date.now(), this.#publicUrl ?? ""),
    transaction: this.#tools.transaction,
    pause: () => new Promise((resolve) => setTimeout(resolve, 0)),
    hasSender: () => this.#senders.marketing !== undefined,
    follow: (context) => {
      void this.#follow(context);
      this.#send();
    },
  });

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    if (!isTeam(this.#sql)) return;
    migrateTeam(state.storage);
    this.#dayRows.restore(this.#sql, Date.now());
    state.blockConcurrencyWhile(async () => {
      this.#pump.restore();
      await this.#rearm();
      if (this.#pump.next() < Number.POSITIVE_INFINITY || this.#runs.isSending()) this.#wake(Date.now());
    });
  }

  async run(request: TeamRequest): Promise<Reply> {
    this.#calls.begin();
    const context = { ...this.#context(Date.now(), request.origin), noRoom: request.noRoom === true || isReserveLow() };
    const reply = runRequest(this.ctx.storage, context, request);
    void this.#follow(context);
    this.#tellActive();
    return reply;
  }

  async admin(request: AdminRequest, origin: string, noRoom = false): Promise<AdminReply> {
    this.#calls.begin();
    const begun = { ...this.#context(Date.now(), origin), noRoom: noRoom || isReserveLow() };
    const answered = await answerAdmin(begun, request, this.#adminTools);
    if (answered) return answered;
    const act = await prepareAdmin(begun, request, this.#adminTools);
    const context = { ...this.#context(Date.now(), origin), noRoom: begun.noRoom };
    const reply = runAdmin(this.ctx.storage, context, request, act);
    await atMost(1_000, this.#follow(context));
    this.#tellActive();
    return reply;
  }

  async storedUpload(id: string): Promise<StoredUpload | undefined> {
    return isTeam(this.#sql) ? storedUpload(this.#sql, Date.now(), id) : undefined;
  }

  async uploadArrived(id: string): Promise<boolean> {
    return isTeam(this.#sql) && uploadArrived(this.#sql, Date.now(), id);
  }

  async recipient(target: LinkTarget, action?: RecipientAction): Promise<RecipientView | undefined> {
    if (!isTeam(this.#sql)) return undefined;
    const context = this.#context(Date.now(), "");
    if (action) {
      this.ctx.storage.transactionSync(() => {
        actAsRecipient(context, target, action);
        askToConfirm(context);
        startRuns(context);
      });
    }
    void this.#follow(context);
    return viewRecipient(this.#sql, target);
  }

  async mailSource(revision: number): Promise<MailSource | undefined> {
    return isTeam(this.#sql) ? mailSource(this.#sql, revision) : undefined;
  }

  async leave(n: number): Promise<RecipientView | undefined> {
    const target = isTeam(this.#sql) ? targetOf(this.#sql, n) : undefined;
    return target && this.recipient(target, { do: "leave" });
  }

  async sharedDomain(id: string): Promise<SharedDomain | undefined> {
    return isTeam(this.#sql) ? viewSharedDomain(this.#context(Date.now(), ""), id) : undefined;
  }

  async hit(hit: Hit): Promise<void> {
    // An open or a click is worth less than the room that it takes.
    if (!isTeam(this.#sql) || isFull({ sql: this.#sql, maxBytes: maxBytesOf(this.env) })) return;
    this.#wakeIfLate();
    const clock = { sql: this.#sql, now: Date.now() };
    this.ctx.storage.transactionSync(() => {
      for (const what of recordHit(clock, hit)) reportMarketing(clock, `email.${what}`, hit.mail.send);
    });
    this.#notify();
    this.#tellActive();
  }

  async content(revision: number): Promise<CompiledMessage | undefined> {
    return findRevision(this.#sql, revision);
  }

  async signingKey(domain: string, mailClass: MailClass): Promise<SigningKey | undefined> {
    return signingKeyOf(this.#sql, domain, this.#mail, mailClass);
  }

  async attachments(n: number): Promise<Attachment[]> {
    return readAttachments(this.#sql, n);
  }

  async hasSend(id: string): Promise<boolean> {
    return isTeam(this.#sql) && hasSend(this.#sql, id);
  }

  async addDmarcReport(report: AggregateReport | UnreadReport): Promise<boolean> {
    if (!isTeam(this.#sql) || isFull({ sql: this.#sql, maxBytes: maxBytesOf(this.env) })) return false;
    const now = Date.now();
    const isAdded = this.ctx.storage.transactionSync(() => addReport({ sql: this.#sql, now }, report));
    if (isAdded) this.#wake(now + RETENTION_MS);
    return isAdded;
  }

  async feedback(via: Via, mails: readonly SendFeedback[]): Promise<number> {
    if (!isTeam(this.#sql)) return 0;
    this.#wakeIfLate();
    const contentOf = (revision: number) => findRevision(this.#sql, revision);
    const clock = { sql: this.#sql, now: Date.now(), contentOf };
    const known = this.ctx.storage.transactionSync(() => mails.filter((mail) => applyFeedback(clock, via, mail)));
    if (known.some(({ feedback }) => feedback.some(({ kind }) => kind === "soft")))
      this.#wake(clock.now + RETENTION_MS);
    this.ctx.waitUntil(this.#runs.campaigns());
    this.#notify();
    this.#tellActive();
    return known.length;
  }

  async feedbackOfTaken(via: Via, mails: readonly TakenMail[]): Promise<boolean[]> {
    if (!isTeam(this.#sql)) return mails.map(() => false);
    const sends = mails.map((mail) => takenSend(this.#sql, via, mail));
    const known = mails.flatMap(({ feedback }, place) => {
      const n = sends[place];
      return n === undefined ? [] : [{ n, feedback: [feedback] }];
    });
    if (known.length > 0) await this.feedback(via, known);
    return sends.map((n) => n !== undefined);
  }

  async pulse({ counts, write }: PulseRequest): Promise<Pulse | null> {
    if (!isTeam(this.#sql)) return null;
    const wasLost = await this.#rearm();
    if (wasLost) log("alarm_lost", { team: readTeam(this.#sql).slug });
    const context = this.#context(Date.now(), "");
    if (write) this.#sql.exec("UPDATE team SET created_at = created_at");
    const pulse = pulseOf(context, {
      alarm: Number.isFinite(this.#alarm) ? this.#alarm : null,
      wasLost,
      startedAt: this.#startedAt,
      alarmProblem: this.#alarmProblem,
      results: this.#pump.results.counts(),
      hasSender: (mailClass) => this.#senders[mailClass] !== undefined,
      opensAt: this.#opensAt,
      claimsOf: (mailClass) => this.#pump.claimsOf(mailClass),
    });
    return counts ? { ...pulse, open: openMailsOf(context) } : pulse;
  }

  override async alarm(): Promise<void> {
    this.#alarm = Number.POSITIVE_INFINITY;
    this.#calls.begin();
    const now = Date.now();
    const problems: unknown[] = [];
    const attempt: Attempt = async (work) => {
      try {
        await work();
        return true;
      } catch (error) {
        problems.push(error);
        return false;
      }
    };
    await this.#runChores(now, attempt);
    await attempt(() => this.#runs.run(RUN_SLICES));
    const isWhole = problems.length === 0;
    const isSending = await attempt(() => this.#send());
    if ((await attempt(() => this.#notify())) && isSending) await attempt(() => this.#wakeNext(isWhole));
    await attempt(() => this.#keepRows());
    [this.#alarmProblem] = problems.map((error) => (error instanceof Error ? error.message : String(error)));
    if (this.#alarmProblem === undefined) return;
    // Cloudflare retries a failed alarm six times, then drops it.
    log("alarm_failed", { error: this.#alarmProblem });
    this.#tellRefusal(problems.find(isStorageRefusal));
    this.#wake(Date.now() + MINUTE_MS);
  }

  /** A chore or slice that failed is still due, and waits for a minute. Mail and webhooks do not. */
  #wakeNext(isWhole: boolean): void {
    const now = Date.now();
    const mail = Math.min(this.#pump.next(), this.#webhooks.next());
    const next = isWhole ? this.#runs.next() : Number.POSITIVE_INFINITY;
    this.#hasSlices = next <= now;
    if (!isWhole) this.#wake(Math.min(nextMail(this.#sql, now, this.#hasSender, this.#opensAt), mail));
    else this.#wake(this.#hasSlices ? next : Math.min(this.#nextWake(), mail, next));
  }

  /** Lets `GET /health` know of a refusal by storage that no request met. */
  #tellRefusal(error: unknown): void {
    if (!isStorageRefusal(error)) return;
    this.ctx.waitUntil(this.env.DIRECTORY.getByName(DIRECTORY_NAME).writeFailed().catch(logDirectory));
  }

  /** While slices follow each other in many alarms, one a second is enough. */
  async #runChores(now: number, attempt: Attempt): Promise<void> {
    if (this.#hasSlices && Math.abs(now - this.#choresAt) < CHORES_MS) return;
    this.#choresAt = now;
    await attempt(() => runChores(this.#sql, now, this.#isFilling));
    this.ctx.waitUntil(this.#checkDomain());
    const { UPLOADS } = this.env;
    if (UPLOADS) await attempt(async () => this.#wake(await expireUploads(this.#sql, UPLOADS, now)));
  }

  /** The alarm does not await it, because a slow resolver must not delay the next alarm. */
  async #checkDomain(): Promise<void> {
    const checked = checkDueDomain(this.#checks);
    this.#wake(nextDomainCheck(this.#sql));
    if (await checked) this.#wake(Math.min(nextDomainCheck(this.#sql), this.#runs.next()));
  }

  /** Reports failed providers to the Directory for GET /health. The next probe repeats a lost message. */
  async #tellSenders(): Promise<void> {
    await Promise.resolve();
    const { slug } = readTeam(this.#sql);
    const now = Date.now();
    try {
      await this.env.DIRECTORY.getByName(DIRECTORY_NAME).keepSenderProblems(slug, senderProblems(this.#sql, now), now);
    } catch (error) {
      logDirectory(error);
    }
  }

  /** Returns true if the alarm was lost, and sets it again. The alarm that runs is not set. */
  async #rearm(): Promise<boolean> {
    const known = this.#alarm;
    const stored = await this.ctx.storage.getAlarm();
    const wasLost = stored === null ? Number.isFinite(known) : stored <= Date.now() - LATE_MS;
    this.#alarm = wasLost ? Number.POSITIVE_INFINITY : (stored ?? this.#alarm);
    this.#wake(this.#nextWake());
    this.#wake(nextDomainCheck(this.#sql));
    if (this.env.UPLOADS) this.#wake(nextExpiry(this.#sql));
    this.#wake(Math.min(this.#pump.next(), this.#webhooks.next(), this.#runs.next()));
    return wasLost;
  }

  /** Makes the count of written rows durable, and exchanges it with the Directory, if it has grown enough. */
  #keepRows(): void {
    const now = Date.now();
    if (!isTeam(this.#sql) || isFull({ sql: this.#sql, maxBytes: maxBytesOf(this.env) })) return;
    this.#dayRows.save(this.#sql, now);
    const report = this.#calls.hasLeft() ? this.#dayRows.toTell(now) : undefined;
    if (!report) return;
    this.#calls.take();
    const told = this.env.DIRECTORY.getByName(DIRECTORY_NAME)
      .dayRows(readTeam(this.#sql).slug, report.day, report.rows)
      .then((others) => this.#dayRows.heard(report.day, others));
    this.ctx.waitUntil(told.catch(logDirectory));
  }

  /** Enters the team as active into the Directory, which the watch reads. Once an hour. */
  #tellActive(): void {
    this.#keepRows();
    const now = Date.now();
    if (Math.abs(now - this.#activeAt) < HOUR_MS || !isTeam(this.#sql)) return;
    this.#activeAt = now;
    const { slug: id, name, createdAt } = readTeam(this.#sql);
    const told = this.env.DIRECTORY.getByName(DIRECTORY_NAME).seen({ id, name, createdAt }, now);
    this.ctx.waitUntil(
      told.catch((error: unknown) => {
        this.#activeAt = 0;
        logDirectory(error);
      }),
    );
  }

  readonly #opensAt = (mailClass: MailClass): number => this.#pump.limits.opensAt(mailClass, Date.now());

  #nextWake(): number {
    return nextWake(this.#sql, Date.now(), this.#hasSender, this.#opensAt, this.#isFilling);
  }

  get #isFilling(): boolean {
    return campaignObstacles({ sql: this.#sql, maxBytes: maxBytesOf(this.env) }).length > 0;
  }

  get #hasSender(): boolean {
    return Object.values(this.#senders).some((sender) => sender !== undefined);
  }

  #context(now: number, origin: string): Context {
    this.#wakeIfLate();
    const domain = this.env.MAIL_DOMAIN || LOCAL_MAIL_DOMAIN;
    return {
      sql: this.#sql,
      now,
      id: randomId,
      origin,
      domain,
      sendingIps: this.#sendingIps,
      mail: this.#mail,
      publicUrl: this.#publicUrl ?? origin,
      dashboardUrl: this.#dashboardUrl,
      freeMailer: () => this.#pump.freeMailer(),
      hasBucket: this.env.UPLOADS !== undefined,
      maxBytes: maxBytesOf(this.env),
      dayRows: this.#dayRows,
      marketingClaims: () => this.#pump.claimsOf("marketing"),
      after: nothing(),
    };
  }

  #follow({ after: { domains, sends, entered, stopped, wake } }: Context): Promise<void> | undefined {
    if (domains) {
      this.#pump.limits.warmups.reload();
      this.#wake(this.#runs.next());
    }
    this.#wake(wake);
    if (sends.length > 0) this.#send(sends);
    if (entered) this.ctx.waitUntil(this.#runs.run(ENTRY_SLICES));
    this.#notify();
    return stopped.length > 0 ? this.#pump.recall(stopped) : undefined;
  }

  #send(accepted: readonly number[] = []): void {
    for (const work of this.#pump.run(accepted)) this.ctx.waitUntil(work);
  }

  #notify(): void {
    if (!isTeam(this.#sql)) return;
    for (const work of this.#webhooks.run()) this.ctx.waitUntil(work);
  }

  /** An alarm that is overdue was lost. */
  #wakeIfLate(): void {
    if (this.#alarm > Date.now() - LOST_MS) return;
    this.#alarm = Number.POSITIVE_INFINITY;
    this.#wake(Date.now());
  }

  /** An alarm in the past would look lost. */
  #wake(at: number): void {
    const due = Math.max(at, Date.now());
    if (due >= this.#alarm) return;
    this.#alarm = due;
    this.#dayRows.add(1);
    // A full disk resets the object, which sets its alarm at the next start.
    this.ctx.storage.setAlarm(this.#alarm).catch((error: unknown) => log("alarm_failed", { error: String(error) }));
  }
}

const logDirectory = (error: unknown): void =>
  log("directory_failed", { error: error instanceof Error ? error.message : String(error) });
