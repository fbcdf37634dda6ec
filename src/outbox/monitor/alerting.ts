import { MINUTE_MS } from "../../lib/util/dates.ts";
import { randomId } from "../../lib/util/id.ts";
import { log } from "../../lib/util/log.ts";
import type { Engine } from "../engine.ts";
import { readDeliveries } from "../journal/read.ts";
import type { Refused } from "../journal/refusals.ts";
import { alertHookOf, backlogMinutesOf, type OutboxEnv, sizeOf } from "../model/config.ts";
import { wasErased, webhookIdOf } from "../model/delivery-state.ts";
import type { Delivery } from "../model/journal-types.ts";
import { readValue, saveValue } from "../model/kv.ts";
import type { Observation } from "../model/observation.ts";
import { fillOf, NEARLY_FULL, quotaOf, quotas } from "../queue/quota.ts";
import { enqueueNotice, nextNotice, noticeBody, sendNotice, settleNotice } from "./alert-webhook.ts";
import { oldestSendable } from "./backlog.ts";
import type { Counters } from "./counters.ts";
import { journalAlerts } from "./journal-alerts.ts";
import {
  type Alert,
  type Alerts,
  firing,
  isFiring,
  type Notice,
  nextReminder,
  noAlerts,
  raise,
  remind,
  resolveAlert,
} from "./open-alerts.ts";
import { signatureAlerts } from "./signature-alerts.ts";
import { createSilence, type Silence } from "./silence.ts";

const HAS_QUOTA = 0.7;
/** Milliseconds before foreign responses raise an alert. */
const FOREIGN_FOR = MINUTE_MS;
/** Per invocation. Delivery needs the rest of the free plan's 50 requests. */
const NOTICES = 3;

/** Reports problems in the log and by signed webhook (ALERT_WEBHOOK_URL). */
export class Alerting {
  readonly #engine: Engine;
  readonly #counters: Counters;
  readonly #silence: Silence;
  #alerts: Alerts;
  #sending = false;

  constructor(engine: Engine, counters: Counters) {
    this.#engine = engine;
    this.#counters = counters;
    this.#alerts = readValue<Alerts>(engine.deps.disk.sql, "alerts") ?? noAlerts();
    this.#silence = createSilence(engine.deps.disk.sql, () => engine.deps.sources);
  }

  observe(observation: Observation): void {
    const now = this.#now();
    if (observation.kind === "interruption") this.#checkBlocked(now, true);
    if (observation.kind === "delivery" && observation.delivery.state === "failed" && !wasErased(observation.delivery))
      this.#raise(failedAlert(this.#engine, observation.seq, observation.delivery), now);
    if (observation.kind === "webhook" && observation.deliveries.length > 0) this.#checkQuota(observation.source, now);
    if (observation.kind === "attempt" && observation.foreign) this.#raiseForeign(now);
    if (observation.kind === "size") for (const alert of journalAlerts(observation)) this.#raise(alert, now);
    // A backfill does not show that the provider still sends webhooks.
    if (
      observation.kind === "webhook" &&
      observation.lane !== "backfill" &&
      this.#silence.heard(observation.source, now)
    )
      this.#resolve("source.silent", observation.source, now);
  }

  refused(refused: readonly Refused[]): void {
    for (const alert of signatureAlerts(this.#engine.deps.disk.sql, refused)) this.#raise(alert, this.#now());
  }

  check(): void {
    const now = this.#now();
    this.#checkBlocked(now, false);
    this.#checkBacklog(now);
    const { queue } = this.#engine.dispatcher;
    for (const { source } of quotas(queue)) this.#checkQuota(source, now);
    for (const source of firing(this.#alerts, "source.full"))
      if (fillOf(quotaOf(queue, source)) < HAS_QUOTA) this.#resolve("source.full", source, now);
    if (this.#engine.deps.disk.sql.databaseSize <= sizeOf(this.#env)) this.#resolve("journal.full", "", now);
    for (const { source, silentFor } of this.#silence.silent(now)) {
      if (isFiring(this.#alerts, "source.silent", source)) continue;
      const minutes = Math.floor(silentFor / MINUTE_MS);
      const message = `No webhook of the source "${source}" was accepted for ${minutes} min.`;
      this.#raise({ kind: "source.silent", subject: source, message, data: { source, minutes } }, now);
    }
    const notices = remind(this.#alerts, now);
    if (notices.length > 0) this.#report(notices, now);
  }

  /** Unix ms. */
  next(): number {
    const now = this.#now();
    const oldest = oldestSendable(this.#engine.dispatcher);
    const span = backlogMinutesOf(this.#env) * MINUTE_MS;
    const backlog = isFiring(this.#alerts, "dispatch.late", "")
      ? now + span
      : (oldest ?? Number.POSITIVE_INFINITY) + span;
    const notice = this.#sending ? undefined : nextNotice(this.#alerts)?.due;
    const silence = this.#silence.next((source) => isFiring(this.#alerts, "source.silent", source));
    const times = [backlog, silence, nextReminder(this.#alerts), notice ?? Number.POSITIVE_INFINITY];
    return Math.max(now, Math.min(...times));
  }

  /** Newest notice first. */
  list() {
    const entries = Object.values(this.#alerts.entries).sort((a, b) => b.notifiedAt - a.notifiedAt);
    const shown = entries.map(({ kind, subject, since, notifiedAt, count, message }) => ({
      kind,
      subject,
      notifiedAt,
      count,
      message,
      since: since ?? null,
    }));
    return { alerts: shown, pending: this.#alerts.pending.length };
  }

  problem(): string | undefined {
    const hook = alertHookOf(this.#env);
    if (hook && "problem" in hook) return hook.problem;
    const failing = this.#alerts.pending.some(({ attemptCount }) => attemptCount >= 3);
    return failing ? "ALERT_WEBHOOK_URL does not accept the alerts." : undefined;
  }

  async deliver(): Promise<void> {
    const hook = alertHookOf(this.#env);
    if (this.#sending || !hook || "problem" in hook) return;
    this.#sending = true;
    try {
      for (let sent = 0; sent < NOTICES; sent++) {
        const notice = nextNotice(this.#alerts);
        if (!notice || notice.due > this.#now()) break;
        const { timeout } = this.#engine.deps;
        const failure = await sendNotice(hook, notice, this.#now(), this.#engine.deps.fetchExternal, timeout);
        const givenUp = settleNotice(this.#alerts, notice.id, failure, this.#now());
        this.#save();
        if (failure !== undefined) log("alert_not_delivered", { id: notice.id, reason: failure, givenUp });
      }
    } catch (error) {
      log("alerts_failed", { error: (error as Error).message });
    } finally {
      this.#sending = false;
      this.#engine.arm(this.next());
    }
  }

  /** @param probed true when an attempt was just refused; it counts as one occurrence */
  #checkBlocked(now: number, probed: boolean): void {
    const { interruption } = this.#engine.dispatcher;
    if (interruption?.reason !== "blocked") this.#resolve("dispatch.blocked", "", now);
    else if (probed || !isFiring(this.#alerts, "dispatch.blocked", ""))
      this.#raise(
        {
          kind: "dispatch.blocked",
          subject: "",
          message: `Dispatch is blocked: ${interruption.message}`,
          data: { waiting: this.#engine.dispatcher.queue.items.size, attempts: interruption.probes + 1 },
        },
        now,
      );
  }

  /** A short error page of the edge during a deployment is no problem. */
  #raiseForeign(now: number): void {
    const answers = this.#engine.dispatcher.foreignAnswers(now);
    if (!answers || now - answers.since < FOREIGN_FOR) return;
    const { message, count } = answers;
    const minutes = Math.floor((now - answers.since) / MINUTE_MS);
    this.#raise({ kind: "answers.foreign", subject: "", message, data: { answers: count, minutes } }, now);
  }

  #checkBacklog(now: number): void {
    const waiting = this.#engine.dispatcher.queue.items.size;
    const oldest = oldestSendable(this.#engine.dispatcher);
    const span = backlogMinutesOf(this.#env) * MINUTE_MS;
    const age = oldest === undefined ? 0 : now - oldest;
    if (age < span) this.#resolve("dispatch.late", "", now);
    else if (!isFiring(this.#alerts, "dispatch.late", "")) {
      const minutes = Math.floor(age / MINUTE_MS);
      const message = `The oldest of ${waiting} waiting deliveries was accepted ${minutes} min ago.`;
      this.#raise({ kind: "dispatch.late", subject: "", message, data: { waiting, minutes } }, now);
    }
  }

  #checkQuota(source: string, now: number): void {
    const quota = quotaOf(this.#engine.dispatcher.queue, source);
    if (fillOf(quota) < NEARLY_FULL || isFiring(this.#alerts, "source.full", source)) return;
    const message = `The source "${source}" ${quota.paused ? "is paused and " : ""}has ${quota.used} open deliveries. Its quota is ${quota.quota}: above that, its webhooks are refused.`;
    const data = { source, waiting: quota.used, quota: quota.quota };
    this.#raise({ kind: "source.full", subject: source, message, data }, now);
  }

  #raise(alert: Alert, now: number): void {
    const notice = raise(this.#alerts, alert, now);
    if (notice) this.#report([notice], now);
    // Between notices the count is only in memory, to save rows.
    else this.#engine.arm(nextReminder(this.#alerts));
  }

  #resolve(kind: Alert["kind"], subject: string, now: number): void {
    if (!isFiring(this.#alerts, kind, subject)) return;
    const notice = resolveAlert(this.#alerts, kind, subject, now);
    if (notice) this.#report([notice], now);
    else this.#save();
  }

  #report(notices: readonly Notice[], now: number): void {
    const hook = alertHookOf(this.#env);
    for (const notice of notices) {
      const { alert, status, count } = notice;
      this.#counters.alerts.add([alert.kind, status]);
      // The message is left out: it may name a person.
      log("alert", { alert: alert.kind, status, subject: alert.subject, count });
      if (!hook) continue;
      if ("problem" in hook) log("alert_not_delivered", { reason: hook.problem });
      else {
        const dropped = enqueueNotice(this.#alerts, randomId("alert"), noticeBody(notice, now), now);
        if (dropped)
          log("alert_not_delivered", { id: dropped.id, reason: "too many alerts are pending", givenUp: true });
      }
    }
    this.#save();
    this.#engine.deps.waitUntil(this.deliver());
  }

  #save(): void {
    const nothing = Object.keys(this.#alerts.entries).length === 0 && this.#alerts.pending.length === 0;
    saveValue(this.#engine.deps.disk.sql, "alerts", nothing ? undefined : this.#alerts);
  }

  #now(): number {
    return this.#engine.deps.now();
  }

  get #env(): OutboxEnv {
    return this.#engine.deps.env;
  }
}

const failedAlert = ({ deps }: Engine, seq: number, delivery: Delivery): Alert => {
  const webhook = readDeliveries(deps.disk.sql, seq);
  const source = webhook?.source ?? "";
  const index = webhook?.deliveries.findIndex(({ key }) => key === delivery.key) ?? -1;
  const status = delivery.attempts.at(-1)?.status;
  return {
    kind: "delivery.failed",
    subject: `${source}/${delivery.rule}`,
    message: delivery.message ?? "The delivery has failed.",
    data: {
      source,
      rule: delivery.rule,
      action: delivery.action,
      webhook: webhookIdOf(seq),
      ...(index >= 0 ? { delivery: `${webhookIdOf(seq)}.${index}` } : {}),
      ...(status === undefined ? {} : { httpStatus: status }),
    },
  };
};
