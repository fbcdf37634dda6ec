import type { Engine } from "../../../src/outbox/engine.ts";
import type { OutboxEnv } from "../../../src/outbox/model/config.ts";
import type { Dependencies } from "../../../src/outbox/model/dependencies.ts";
import type { Observation } from "../../../src/outbox/model/observation.ts";
import { reasons } from "../../../src/outbox/model/reasons.ts";
import { promise } from "./checks.ts";
import type { Life } from "./disk.ts";
import type { Known } from "./model.ts";
import type { Ambush } from "./schedule.ts";
import type { Foundation } from "./world.ts";

export type Process = Life & {
  engine: Engine;
  ready: Promise<void>;
  inFlight: Set<Known>;
  judged: Set<readonly Known[]>;
  inAlarm: boolean;
};

export type Send = (from: Process, url: string, init: RequestInit) => Promise<Response>;

/** Ms until the platform repeats an alarm handler that did not end. */
const RETRY_ALARM = 2_000;

export type SimulatedObject = ReturnType<typeof createObject>;

/** The object on its platform: one process at a time, which may end between any two steps, and an alarm. */
export const createObject = (ground: Foundation, send: Send, make: (dependencies: Dependencies) => Engine) => {
  const { schedule, timeline, trace, count, note, wall, disk, model, checks, downtime, randomOf } = ground;
  let process: Process | undefined;
  let alarms = 0;
  const ambushes = new Set<Ambush>();
  const env = {
    EMAIL_API_KEY: "key",
    TEMPLATES: { receipt: "tpl_receipt" },
    CONTACT_PROPERTIES: schedule.dialect,
    ...(schedule.small ? { MAX_JOURNAL_MB: 0.02 } : {}),
    ...(schedule.beside ? { EMAIL: {} as Fetcher } : { EMAIL_API_URL: "https://host.test" }),
  } as OutboxEnv;

  const endJudgment = (known: Known): void => {
    for (const deliveries of process?.judged ?? []) {
      if (!deliveries.includes(known)) continue;
      process?.judged.delete(deliveries);
      for (const one of deliveries) process?.inFlight.delete(one);
    }
  };

  const observe = (observation: Observation): void => {
    if (observation.kind === "delivery") {
      const known = model.deliveries.get(observation.delivery.key) ?? model.at(observation.seq, observation.index);
      if (!known) return;
      const { state, message = "", sentWith } = observation.delivery;
      trace.say(`told ${known.id} ${state}`, message && `: ${message}`);
      endJudgment(known);
      note(() => checks.settled(known, observation.delivery));
      if (state === "done" && message !== reasons.noContact) model.markDone(known);
      if (known.state !== state)
        count(`call ${state}${state === "undecided" || state === "failed" ? reasonOf(message) : ""}`);
      if (known.place !== undefined && known.state !== state) count(`delivery made once more: ${state}`);
      if (sentWith) count("update sent with another");
      if (observation.delivery.attempts.at(-1)?.message?.startsWith("Refused together")) count("split");
      if (observation.delivery.attempts.at(-1)?.message?.endsWith(reasons.sentAlone))
        count("delivery sent with the user id after a conflict");
      if (state === "skipped") count("mail to a removed person skipped");
      if (message === reasons.noContact) count("removal of nobody");
      known.state = state;
      ground.on.moment("settled");
    } else if (observation.kind === "size") {
      trace.say(`purged, ${observation.deleted} webhooks whole`);
      count("purge for the size");
      if (observation.deleted > 0) count("webhooks deleted for the size", observation.deleted);
    } else if (observation.kind === "interruption") {
      trace.say(
        observation.interruption ? "paused" : "pause is over",
        observation.interruption && `: ${observation.interruption.reason}`,
      );
      if (observation.interruption) count(`interruption, ${observation.interruption.reason}`);
      if (observation.interruption) downtime.interruptedSince ??= wall();
      else if (downtime.interruptedSince !== undefined) {
        downtime.interrupted += wall() - downtime.interruptedSince;
        downtime.interruptedSince = undefined;
      }
    }
  };

  const boot = (): Process => {
    const started = { alive: true, inFlight: new Set<Known>(), judged: new Set(), inAlarm: false } as Process;
    const random = randomOf.life.fork();
    process = started;
    checks.reset();
    trace.say("process starts");
    started.engine = make({
      disk: disk.of(started),
      env,
      sources: {},
      now: wall,
      random: random.next,
      sleep: (ms) => new Promise((resolve) => timeline.in(ms, () => started.alive && resolve())),
      timeout: (ms) => {
        const controller = new AbortController();
        timeline.in(ms, () => started.alive && controller.abort(new DOMException("Too late.", "TimeoutError")));
        return controller.signal;
      },
      fetch: (url, init) => send(started, url, init),
      plan: () => Promise.resolve(undefined),
      fetchExternal: (url) => Promise.reject(new Error(`The simulation has no ${url}.`)),
      waitUntil: (work) => {
        work.catch((error: unknown) => note(() => promise(false, `The pump failed: ${String(error)}`)));
      },
    });
    started.engine.subscribe((observation) => started.alive && observe(observation));
    started.ready = started.engine.wake();
    return started;
  };

  const end = (how: "crash" | "evict"): void => {
    if (!process) return;
    const { inFlight, inAlarm } = process;
    process.alive = false;
    process = undefined;
    count(how);
    if (inFlight.size > 0) count(`${how} with deliveries in flight`);
    const lost = how === "crash" ? disk.rollBack() : disk.flushNow();
    if (lost > 0) count("crash that lost writes");
    trace.say(`${how}, ${lost} writes lost`);
    for (const known of inFlight) {
      known.inFlight = false;
      known.unknown ??= known.lastStart ?? timeline.now();
      count("unknown outcome by the end of the process");
    }
    model.reload();
    expectAlarm(inAlarm ? RETRY_ALARM : 0);
    const open = disk.sql.exec<{ n: number }>("SELECT count(*) AS n FROM webhooks WHERE open = 1").one().n;
    note(() =>
      promise(
        open === 0 || disk.alarm() !== null || downtime.pauses.size > 0,
        "The process has ended with open deliveries, and no alarm is set to start it again.",
      ),
    );
  };

  const withProcess = (work: (process: Process) => void): void => {
    const current = process ?? boot();
    void current.ready.then(() => {
      if (current.alive) work(current);
    });
  };

  const expectAlarm = (atLeast = 0): void => {
    const version = ++alarms;
    const at = disk.alarm();
    if (at === null) return;
    timeline.in(Math.max(atLeast, at - wall()) + randomOf.net.int(0, 20), () => {
      if (version === alarms) ring();
    });
  };

  const ring = (): void =>
    withProcess((current) => {
      if (current.inAlarm) {
        timeline.in(100, () => expectAlarm());
        return;
      }
      trace.say("alarm");
      disk.ring();
      current.inAlarm = true;
      ground.on.moment("alarm");
      current.engine.alarm().then(
        () => {
          current.inAlarm = false;
          if (current.alive) disk.rung();
        },
        (error: unknown) => note(() => promise(false, `alarm() threw: ${String(error)}`)),
      );
    });

  ground.on = {
    alarmSet: () => expectAlarm(),
    moment: (when) => {
      if (!ambushes.delete(when)) return;
      count(`crash when ${when}`);
      timeline.in(0, () => end("crash"));
    },
  };
  return {
    process: () => process,
    withProcess,
    end,
    expectAlarm,
    armAmbush: (when: Ambush): void => void ambushes.add(when),
  };
};

const reasonOf = (message: string): string =>
  message.startsWith("expired")
    ? ", expired"
    : message.startsWith("The email service may")
      ? ", outcome unknown"
      : message.startsWith("No webhook") || message.startsWith("No email")
        ? ", identity unknown"
        : ", refused";
