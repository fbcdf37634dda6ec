import { randomId } from "../../lib/util/id.ts";
import { log } from "../../lib/util/log.ts";
import type { Engine } from "../engine.ts";
import { readCalls } from "../journal/journal.ts";
import { countRefusals, type Refused } from "../journal/refusals.ts";
import { idOf } from "../model/calls.ts";
import { backlogMinutesOf, type OutboxEnv } from "../model/config.ts";
import { readFact, saveFact } from "../model/kv.ts";
import type { Observation } from "../model/observation.ts";
import type { Call } from "../model/types.ts";
import { alertHookOf, bodyOf, nextMessage, post, settleMessage, trySend } from "./alert-webhook.ts";
import {
  type Alert,
  type Alerts,
  isFiring,
  nextReminder,
  noAlerts,
  raise,
  remind,
  resolve,
  type Told,
} from "./alerts.ts";
import { backlogOf } from "./backlog.ts";
import type { Meters } from "./meters.ts";
import { createSilence, type Silence } from "./silence.ts";

const MINUTE = 60_000;
/** Refusals that look like a wrong secret, or somebody who has none. */
const SIGNATURE_CODES: ReadonlySet<string> = new Set(["missing_signature", "invalid_signature", "stale_timestamp"]);
/** So many of one source in one minute are a burst. */
const BURST = 20;
/** Messages per invocation: what delivery leaves of the 50 requests of the free plan. */
const MESSAGES = 3;

/**
 * Sees what goes wrong and tells the team: by a line in the log, and by a signed webhook where there is an address for
 * it. What must be told is on disk (one fact), so that a crash loses none; delivery waits for none of it.
 */
export class Watch {
  readonly #engine: Engine;
  readonly #meters: Meters;
  readonly #silence: Silence;
  #alerts: Alerts;
  #sending = false;

  constructor(engine: Engine, meters: Meters) {
    this.#engine = engine;
    this.#meters = meters;
    this.#alerts = readFact<Alerts>(engine.deps.disk.sql, "alerts") ?? noAlerts();
    this.#silence = createSilence(engine.deps.disk.sql, () => engine.deps.sources);
  }

  observe(observation: Observation): void {
    const now = this.#now();
    if (observation.kind === "interruption") this.#lookAtPause(now, true);
    if (observation.kind === "call" && observation.call.state === "dead")
      this.#raise(deadAlert(this.#engine, observation.seq, observation.call), now);
    // What a backfill reads was asked for: the provider may be silent all the same.
    if (
      observation.kind === "webhook" &&
      observation.lane !== "backfill" &&
      this.#silence.heard(observation.source, now)
    )
      this.#resolve("source.silent", observation.source, now);
  }

  refused(refused: readonly Refused[]): void {
    const now = this.#now();
    const sql = this.#engine.deps.disk.sql;
    const failing = refused.filter(({ code }) => SIGNATURE_CODES.has(code));
    for (const source of new Set(failing.map(({ source }) => source))) {
      const minutes = failing.filter((row) => row.source === source).map(({ minute }) => minute);
      const most = Math.max(...minutes.map((minute) => countRefusals(sql, minute, source, SIGNATURE_CODES)));
      if (most < BURST) continue;
      const message = `${most} webhooks of the source "${source}" were refused in a minute for their signature. Is its secret the one that the provider signs with?`;
      this.#raise({ kind: "signatures.failing", subject: source, message, data: { source, refused: most } }, now);
    }
  }

  /** Looks at the clock. */
  look(): void {
    const now = this.#now();
    this.#lookAtPause(now, false);
    this.#lookAtBacklog(now);
    for (const { source, silentFor } of this.#silence.silent(now)) {
      if (isFiring(this.#alerts, "source.silent", source)) continue;
      const minutes = Math.floor(silentFor / MINUTE);
      const message = `No webhook of the source "${source}" was accepted for ${minutes} min.`;
      this.#raise({ kind: "source.silent", subject: source, message, data: { source, minutes } }, now);
    }
    const told = remind(this.#alerts, now);
    if (told.length > 0) this.#told(told, now);
  }

  /** When to look at the clock again, Unix ms. */
  next(): number {
    const now = this.#now();
    const { oldest } = backlogOf(this.#engine.dispatcher, now);
    const span = backlogMinutesOf(this.#env) * MINUTE;
    const backlog = isFiring(this.#alerts, "delivery.late", "")
      ? now + span
      : (oldest ?? Number.POSITIVE_INFINITY) + span;
    const message = this.#sending ? undefined : nextMessage(this.#alerts)?.due;
    const silence = this.#silence.next((source) => isFiring(this.#alerts, "source.silent", source));
    const times = [backlog, silence, nextReminder(this.#alerts), message ?? Number.POSITIVE_INFINITY];
    return Math.max(now, Math.min(...times));
  }

  /** Why alerts do not arrive, or undefined. */
  problem(): string | undefined {
    const hook = alertHookOf(this.#env);
    if (hook && "problem" in hook) return hook.problem;
    const failing = this.#alerts.pending.some(({ tries }) => tries >= 3);
    return failing ? "The address in ALERT_WEBHOOK_URL does not take alerts." : undefined;
  }

  /** Sends what is due, a few messages at most. Never throws. */
  async deliver(): Promise<void> {
    const hook = alertHookOf(this.#env);
    if (this.#sending || !hook || "problem" in hook) return;
    this.#sending = true;
    try {
      for (let sent = 0; sent < MESSAGES; sent++) {
        const message = nextMessage(this.#alerts);
        if (!message || message.due > this.#now()) break;
        const { timeout } = this.#engine.deps;
        const failure = await trySend(hook, message, this.#now(), this.#engine.deps.fetchExternal, timeout);
        const givenUp = settleMessage(this.#alerts, message.id, failure, this.#now());
        this.#save();
        if (failure !== undefined) log("alert_not_delivered", { id: message.id, reason: failure, givenUp });
      }
    } catch (error) {
      log("alerts_failed", { error: (error as Error).message });
    } finally {
      this.#sending = false;
      this.#engine.arm(this.next());
    }
  }

  /** @param probed true when a try has just been refused: each is one more */
  #lookAtPause(now: number, probed: boolean): void {
    const { interruption } = this.#engine.dispatcher;
    if (interruption?.reason !== "blocked") this.#resolve("delivery.blocked", "", now);
    else if (probed || !isFiring(this.#alerts, "delivery.blocked", ""))
      this.#raise(
        {
          ...{ kind: "delivery.blocked", subject: "" },
          message: `Nothing is delivered: ${interruption.message}`,
          data: { waiting: this.#engine.dispatcher.queue.items.size, tries: interruption.probes + 1 },
        },
        now,
      );
  }

  #lookAtBacklog(now: number): void {
    const { oldest, waiting } = backlogOf(this.#engine.dispatcher, now);
    const span = backlogMinutesOf(this.#env) * MINUTE;
    const age = oldest === undefined ? 0 : now - oldest;
    if (age < span) this.#resolve("delivery.late", "", now);
    else if (!isFiring(this.#alerts, "delivery.late", "")) {
      const minutes = Math.floor(age / MINUTE);
      const message = `The oldest of ${waiting} waiting calls was accepted ${minutes} min ago.`;
      this.#raise({ kind: "delivery.late", subject: "", message, data: { waiting, minutes } }, now);
    }
  }

  #raise(alert: Alert, now: number): void {
    const told = raise(this.#alerts, alert, now);
    if (told) this.#told([told], now);
    // A count within the hour is in memory: a crash may forget some of it, and no row is written for each.
    else this.#engine.arm(nextReminder(this.#alerts));
  }

  #resolve(kind: Alert["kind"], subject: string, now: number): void {
    if (!isFiring(this.#alerts, kind, subject)) return;
    const told = resolve(this.#alerts, kind, subject, now);
    if (told) this.#told([told], now);
    else this.#save();
  }

  #told(told: readonly Told[], now: number): void {
    const hook = alertHookOf(this.#env);
    for (const one of told) {
      const { alert, status, count } = one;
      this.#meters.alerts.add([alert.kind, status]);
      // The message may be the host's, and name somebody.
      log("alert", { alert: alert.kind, status, subject: alert.subject, count });
      if (!hook) continue;
      if ("problem" in hook) log("alert_not_delivered", { reason: hook.problem });
      else {
        const lost = post(this.#alerts, randomId("alert"), bodyOf(one, now), now);
        if (lost) log("alert_not_delivered", { id: lost.id, reason: "too many wait", givenUp: true });
      }
    }
    this.#save();
    this.#engine.deps.waitUntil(this.deliver());
  }

  /** One row. */
  #save(): void {
    const nothing = Object.keys(this.#alerts.entries).length === 0 && this.#alerts.pending.length === 0;
    saveFact(this.#engine.deps.disk.sql, "alerts", nothing ? undefined : this.#alerts);
  }

  #now(): number {
    return this.#engine.deps.now();
  }

  get #env(): OutboxEnv {
    return this.#engine.deps.env as OutboxEnv;
  }
}

const deadAlert = ({ deps }: Engine, seq: number, call: Call): Alert => {
  const webhook = readCalls(deps.disk.sql, seq);
  const source = webhook?.source ?? "";
  const index = webhook?.calls.findIndex(({ key }) => key === call.key) ?? -1;
  const status = call.attempts.at(-1)?.status;
  return {
    ...{ kind: "call.dead", subject: `${source}/${call.rule}` },
    message: call.message ?? "The call is dead.",
    data: {
      ...{ source, rule: call.rule, action: call.action, webhook: idOf(seq) },
      ...(index >= 0 ? { call: `${idOf(seq)}.${index}` } : {}),
      ...(status === undefined ? {} : { httpStatus: status }),
    },
  };
};
