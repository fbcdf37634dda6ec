import { createAlertBoard } from "../../lib/alerts/alert-board.ts";
import { alertHookOf } from "../../lib/alerts/hook.ts";
import type { Alert, Alerts } from "../../lib/alerts/open-alerts.ts";
import { MINUTE_MS } from "../../lib/util/dates.ts";
import { readValue, saveValue } from "../../lib/util/kv.ts";
import type { Engine } from "../engine.ts";
import { readDeliveries } from "../journal/read.ts";
import type { Refused } from "../journal/refusals.ts";
import { backlogMinutesOf, type OutboxEnv, sizeOf } from "../model/config.ts";
import { wasErased, webhookIdOf } from "../model/delivery-state.ts";
import { outageText } from "../model/interruption.ts";
import type { Delivery } from "../model/journal-types.ts";
import type { Arrival, Observation } from "../model/observation.ts";
import { fillOf, NEARLY_FULL, quotaOf, quotas } from "../queue/quota.ts";
import { type AlertKind, kinds } from "./alert-kinds.ts";
import { oldestSendable } from "./backlog.ts";
import type { Counters } from "./counters.ts";
import { journalAlerts } from "./journal-alerts.ts";
import { createRefusing } from "./refusing.ts";
import { signatureAlerts } from "./signature-alerts.ts";
import { createSilence, type Silence } from "./silence.ts";

const HAS_QUOTA = 0.7;
/** Milliseconds before foreign responses raise an alert. */
const FOREIGN_FOR = MINUTE_MS;

/** Finds the problems of the Outbox. */
export class Alerting {
  readonly board: ReturnType<typeof createAlertBoard<AlertKind>>;
  readonly #engine: Engine;
  readonly #silence: Silence;
  readonly refusing: ReturnType<typeof createRefusing>;

  constructor(engine: Engine, counters: Counters) {
    this.#engine = engine;
    const { sql } = engine.deps.disk;
    this.board = createAlertBoard(kinds, {
      now: () => this.#now(),
      load: () => readValue<Alerts>(sql, "alerts"),
      save: (alerts) => saveValue(sql, "alerts", alerts),
      hook: () => alertHookOf(this.#env),
      fetch: (url, init) => engine.deps.fetchExternal(url, init),
      timeout: (ms) => engine.deps.timeout(ms),
      waitUntil: (work) => engine.deps.waitUntil(work),
      counted: (kind, status) => counters.alerts.add([kind, status]),
      arm: (at) => engine.arm(at),
    });
    this.refusing = createRefusing(sql);
    this.#silence = createSilence(sql, () => engine.deps.sources);
  }

  observe(observation: Observation): void {
    const now = this.#now();
    if (observation.kind === "interruption") this.#checkInterruption(true);
    if (observation.kind === "delivery" && observation.delivery.state === "failed" && !wasErased(observation.delivery))
      this.board.raise(failedAlert(this.#engine, observation.seq, observation.delivery));
    if (observation.kind === "attempt" && observation.foreign) this.#raiseForeign(now);
    if (observation.kind === "size") for (const alert of journalAlerts(observation)) this.board.raise(alert);
    if (observation.kind === "webhooks") this.#arrived(observation.webhooks, now);
  }

  #arrived(webhooks: readonly Arrival[], now: number): void {
    for (const source of new Set(webhooks.flatMap((one) => (one.deliveries.length > 0 ? one.source : []))))
      this.#checkQuota(source);
    // A backfill does not show that the provider still sends webhooks.
    for (const source of new Set(webhooks.flatMap((one) => (one.lane === "backfill" ? [] : one.source)))) {
      if (this.#silence.heard(source, now)) this.board.resolve("source.silent", source);
      if (this.refusing.heard(source, now)) this.board.resolve("source.refusing", source);
    }
  }

  refused(refused: readonly Refused[]): void {
    for (const alert of signatureAlerts(this.#engine.deps.disk.sql, refused)) this.board.raise(alert);
    this.refusing.refused(refused);
    for (const { source, message, count, isLong } of this.refusing.problems()) {
      if (!isLong || this.board.isFiring("source.refusing", source)) continue;
      this.board.raise({ kind: "source.refusing", subject: source, message, data: { source, refused: count } });
    }
  }

  check(): void {
    const now = this.#now();
    this.#checkInterruption(false);
    this.#checkBacklog(now);
    const { queue } = this.#engine.dispatcher;
    for (const { source } of quotas(queue)) this.#checkQuota(source);
    for (const source of this.board.firing("source.full"))
      if (fillOf(quotaOf(queue, source)) < HAS_QUOTA) this.board.resolve("source.full", source);
    if (this.#engine.deps.disk.sql.databaseSize <= sizeOf(this.#env)) this.board.resolve("journal.full", "");
    for (const { source, silentFor } of this.#silence.silent(now)) {
      if (this.board.isFiring("source.silent", source)) continue;
      const minutes = Math.floor(silentFor / MINUTE_MS);
      const message = `No webhook of the source "${source}" was accepted for ${minutes} min.`;
      this.board.raise({ kind: "source.silent", subject: source, message, data: { source, minutes } });
    }
    this.board.remind();
  }

  /** Unix ms. */
  next(): number {
    const now = this.#now();
    const oldest = oldestSendable(this.#engine.dispatcher);
    const span = backlogMinutesOf(this.#env) * MINUTE_MS;
    const backlog = this.board.isFiring("dispatch.late", "") ? now + span : (oldest ?? Number.POSITIVE_INFINITY) + span;
    const silence = this.#silence.next((source) => this.board.isFiring("source.silent", source));
    return Math.max(now, Math.min(backlog, silence, this.board.next()));
  }

  /** @param probed true when an attempt was just refused; it counts as one occurrence */
  #checkInterruption(probed: boolean): void {
    const { interruption, queue } = this.#engine.dispatcher;
    const data = { waiting: queue.items.size, attempts: (interruption?.probes ?? 0) + 1 };
    const isTold = (kind: AlertKind) => !probed && this.board.isFiring(kind, "");
    if (interruption?.reason !== "blocked") this.board.resolve("dispatch.blocked", "");
    else if (!isTold("dispatch.blocked")) {
      const message = `Dispatch is blocked: ${interruption.message}`;
      this.board.raise({ kind: "dispatch.blocked", subject: "", message, data });
    }
    if (interruption?.reason !== "outage") this.board.resolve("dispatch.outage", "");
    else if (!isTold("dispatch.outage"))
      this.board.raise({ kind: "dispatch.outage", subject: "", message: outageText(interruption), data });
  }

  /** A short error page of the edge during a deployment is no problem. */
  #raiseForeign(now: number): void {
    const answers = this.#engine.dispatcher.foreignAnswers(now);
    if (!answers || now - answers.since < FOREIGN_FOR) return;
    const { message, count } = answers;
    const minutes = Math.floor((now - answers.since) / MINUTE_MS);
    this.board.raise({ kind: "answers.foreign", subject: "", message, data: { answers: count, minutes } });
  }

  #checkBacklog(now: number): void {
    const waiting = this.#engine.dispatcher.queue.items.size;
    const oldest = oldestSendable(this.#engine.dispatcher);
    const span = backlogMinutesOf(this.#env) * MINUTE_MS;
    const age = oldest === undefined ? 0 : now - oldest;
    if (age < span) this.board.resolve("dispatch.late", "");
    else if (!this.board.isFiring("dispatch.late", "")) {
      const minutes = Math.floor(age / MINUTE_MS);
      const message = `The oldest of ${waiting} waiting deliveries was accepted ${minutes} min ago.`;
      this.board.raise({ kind: "dispatch.late", subject: "", message, data: { waiting, minutes } });
    }
  }

  #checkQuota(source: string): void {
    const quota = quotaOf(this.#engine.dispatcher.queue, source);
    if (fillOf(quota) < NEARLY_FULL || this.board.isFiring("source.full", source)) return;
    const message = `The source "${source}" ${quota.paused ? "is paused and " : ""}has ${quota.used} webhooks with open deliveries. Its quota is ${quota.quota}: above that, its webhooks are refused.`;
    const data = { source, waiting: quota.used, quota: quota.quota };
    this.board.raise({ kind: "source.full", subject: source, message, data });
  }

  #now(): number {
    return this.#engine.deps.now();
  }

  get #env(): OutboxEnv {
    return this.#engine.deps.env;
  }
}

const failedAlert = ({ deps }: Engine, seq: number, delivery: Delivery): Alert<AlertKind> => {
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
