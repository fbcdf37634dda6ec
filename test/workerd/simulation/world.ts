import { Engine, type Parts } from "../../../src/outbox/engine.ts";
import { Ledger } from "../../../src/outbox/ledger.ts";
import type { Outcome } from "../../../src/outbox/outcome.ts";
import type { Item } from "../../../src/outbox/queue.ts";
import type { OutboxEnv } from "../../../src/outbox/surroundings.ts";
import type { Life } from "./disk.ts";
import { createDisk } from "./disk.ts";
import { type Answer, createHost, type Request } from "./host.ts";
import { createModel, type Known } from "./model.ts";
import { createRandom, type Random } from "./random.ts";
import type { Ambush, Schedule, Step } from "./schedule.ts";
import { createTimeline } from "./timeline.ts";
import { createTrace } from "./trace.ts";
import { Broken, createWatch, promise } from "./watch.ts";
import type { Marked } from "./webhooks.ts";

export const START = 1_780_000_000_000;
const HOUR = 3_600_000;
const RETRY_ALARM = 2_000;

/** One process of the object. */
type Process = Life & { engine: Engine; ready: Promise<void>; flying: Set<Known>; inAlarm: boolean };

export type World = ReturnType<typeof createWorld>;

/**
 * The Outbox's own code in a world that a seed decides: disk, clock, network, host, providers and everybody else.
 *
 * @param make builds the engine; another one than the product's has a bug on purpose
 */
export const createWorld = (
  storage: DurableObjectStorage,
  seed: number,
  schedule: Schedule,
  make: (parts: Parts) => Engine = (parts) => new Engine(parts),
) => {
  const timeline = createTimeline(START);
  const trace = createTrace(() => timeline.now() - START);
  const random = createRandom(seed ^ 0x5bd1e995);
  const [diskRandom, netRandom, lifeRandom, doorRandom, hostRandom] = [1, 2, 3, 4, 5].map(() => random.fork()) as [
    Random,
    Random,
    Random,
    Random,
    Random,
  ];
  const counts: Record<string, number> = {};
  const count = (what: string, by = 1) => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  const guard = schedule.beside ? 20 : 100;

  // Clocks
  let offset = 0;
  let setBack = 0;
  const wall = () => Math.floor(timeline.now() + offset);

  // The disk, and the alarm that lies on it
  let alarmVersion = 0;
  const disk = createDisk(
    storage,
    timeline,
    () => (schedule.stalls ? 2 + stall(diskRandom) : Math.ceil(guard * 0.35 * diskRandom.next())),
    (before) => {
      const at = disk.alarm();
      if (at !== null && before !== null && at > before)
        promise(false, `The alarm was set to a later time (by ${at - before} ms) than it had.`);
      expectAlarm();
    },
  );
  const expectAlarm = (atLeast = 0): void => {
    const version = ++alarmVersion;
    const at = disk.alarm();
    if (at === null) return;
    timeline.in(Math.max(atLeast, at - wall()) + netRandom.int(0, 20), () => {
      if (version === alarmVersion) ring();
    });
  };

  const host = createHost(
    {
      ...{ takes: schedule.takes, faults: schedule.faults, forbidden: schedule.forbidden },
      ...{ saysRetryAfter: schedule.saysRetryAfter, ahead: schedule.ahead },
    },
    hostRandom,
  );
  const webhooks = [
    ...new Map(
      [...schedule.steps, ...schedule.after]
        .flatMap((s) => (s.kind === "webhooks" ? s.webhooks : []))
        .map((w) => [w.name, w]),
    ).values(),
  ];
  const model = createModel(disk.sql, webhooks);
  let pausedSince: number | undefined;
  let held = 0;
  const stops = new Map<string, number>();
  const watch = createWatch(model, {
    now: timeline.now,
    wall,
    setBack: () => setBack,
    held: () => held + (pausedSince === undefined ? 0 : wall() - pausedSince) + stoppedFor(),
  });
  let stoppedBefore = 0;
  const stoppedFor = () => stoppedBefore + [...stops.values()].reduce((sum, since) => sum + wall() - since, 0);

  // The process
  let process: Process | undefined;
  const ambushes = new Set<Ambush>();
  let acting: Broken | undefined;
  /** Where nothing may throw into the product's own code: a broken promise is kept for the loop. */
  const note = (check: () => void): void => {
    try {
      check();
    } catch (error) {
      acting ??= error as Broken;
    }
  };

  const env = {
    EMAIL_API_KEY: "key",
    TEMPLATES: { receipt: "tpl_receipt" },
    CONTACT_PROPERTIES: schedule.dialect,
    ...(schedule.beside ? { EMAIL: {} as Fetcher } : { EMAIL_API_URL: "https://host.test" }),
  } as OutboxEnv;

  const boot = (): Process => {
    const life: Life = { alive: true };
    const own = lifeRandom.fork();
    const never = new Promise<never>(() => {});
    const sleep = (ms: number) => new Promise<void>((resolve) => timeline.in(ms, () => life.alive && resolve()));
    const started: Process = Object.assign(life, {
      engine: undefined as unknown as Engine,
      ready: never,
      flying: new Set<Known>(),
      inAlarm: false,
    });
    process = started;
    watch.forget();
    trace.say("process starts");
    started.engine = make({
      disk: disk.of(life),
      env,
      surroundings: {
        now: wall,
        random: own.next,
        sleep,
        timeout: (ms) => {
          const controller = new AbortController();
          timeline.in(ms, () => life.alive && controller.abort(new DOMException("Too late.", "TimeoutError")));
          return controller.signal;
        },
        fetch: (url, init) => send(started, url, init),
      },
      waitUntil: (work) => {
        work.catch((error: unknown) => note(() => promise(false, `The pump failed: ${String(error)}`)));
      },
      tell: (news) => {
        if (!life.alive) return;
        if (news.kind === "call") {
          const known = model.calls.get(news.call.key);
          if (!known) return;
          trace.say(`told ${known.id} ${news.call.state}${news.call.message ? `: ${news.call.message}` : ""}`);
          note(() => watch.told(known, news.call));
          if (news.call.state === "done") model.land(known);
          if (known.state !== news.call.state) count(`call ${news.call.state}`);
          if (news.call.sentWith) count("joined");
          known.state = news.call.state;
          spring("settled");
        } else if (news.kind === "pause") {
          trace.say(news.pause ? `paused: ${news.pause.reason}` : "pause is over");
          if (news.pause) count(`pause ${news.pause.reason}`);
          if (news.pause) pausedSince ??= wall();
          else if (pausedSince !== undefined) {
            held += wall() - pausedSince;
            pausedSince = undefined;
          }
        }
      },
    });
    started.ready = started.engine.wake();
    return started;
  };

  const end = (how: "crash" | "evict"): void => {
    if (!process) return;
    const { flying, inAlarm } = process;
    process.alive = false;
    process = undefined;
    count(how);
    if (flying.size > 0) count(`${how} with calls under way`);
    const lost = how === "crash" ? disk.rollBack() : disk.flushNow();
    if (lost > 0) count("crash that lost writes");
    trace.say(`${how}, ${lost} writes lost`);
    for (const known of flying) {
      known.flying = false;
      known.unknown ??= { at: known.lastStart ?? timeline.now(), wall: wall() };
    }
    model.reload(true);
    // An alarm whose handler did not come to its end rings again.
    expectAlarm(inAlarm ? RETRY_ALARM : 0);
    const open = disk.sql.exec<{ n: number }>("SELECT count(*) AS n FROM webhooks WHERE open = 1").one().n;
    if (open > 0 && disk.alarm() === null && stops.size === 0)
      throw new Broken("The process is gone with open calls, and no alarm is set that would bring it back.");
  };
  const spring = (when: Ambush): void => {
    if (!ambushes.delete(when)) return;
    count(`crash when ${when}`);
    timeline.in(0, () => end("crash"));
  };

  const withProcess = (work: (process: Process) => void): void => {
    const current = process ?? boot();
    void current.ready.then(() => {
      if (current.alive) work(current);
    });
  };

  const ring = (): void => {
    withProcess((current) => {
      if (current.inAlarm) {
        // It waits for the handler to end.
        timeline.in(100, () => expectAlarm());
        return;
      }
      trace.say("alarm");
      count("alarm");
      disk.ring();
      current.inAlarm = true;
      spring("alarm");
      current.engine.alarm().then(
        () => {
          current.inAlarm = false;
          if (current.alive) disk.rung();
        },
        (error: unknown) => note(() => promise(false, `alarm() threw: ${String(error)}`)),
      );
    });
  };

  // The way to the host and back
  const jitter = () => (schedule.stalls ? stall(netRandom) : netRandom.next() * guard * 0.55);
  const base = schedule.beside ? 1 : 15;

  const requestOf = (url: string, init: RequestInit): Request => {
    const { pathname } = new URL(url);
    const headers = init.headers as Record<string, string>;
    const body = init.body === undefined ? {} : (JSON.parse(String(init.body)) as Record<string, unknown>);
    return { method: init.method ?? "GET", path: pathname, key: headers["Idempotency-Key"], body };
  };

  const send = (from: Process, url: string, init: RequestInit): Promise<Response> => {
    const request = requestOf(url, init);
    const { queue } = from.engine.dispatcher;
    const items = [...queue.items.values()].filter(
      (item) => item.inFlight && !item.guest && !from.flying.has(model.at(item.seq, item.index) as Known),
    );
    const calls = items.flatMap((item) => model.at(item.seq, item.index) ?? []);
    note(() => {
      promise(
        calls.length > 0 && calls.length === items.length,
        `A request that carries no call: ${JSON.stringify(request)}`,
      );
      watch.started(queue, items, calls, request, from.engine.dispatcher.pause?.reason === "held");
    });
    for (const known of calls) {
      known.flying = true;
      known.starts++;
      known.lastStart = timeline.now();
      from.flying.add(known);
    }
    count("request");
    if (calls.length > 1) count("request with several updates");
    if (calls.some(({ starts }) => starts > 1)) count("request again");
    trace.say(`send ${calls.map(({ id }) => id).join(" ")}  ${request.path} ${JSON.stringify(request.body)}`);
    spring("claimed");
    const landed = () => {
      for (const known of calls) {
        known.flying = false;
        from.flying.delete(known);
      }
    };
    const unknown = () => {
      for (const known of calls) known.unknown ??= { at: known.lastStart ?? 0, wall: wall() };
    };
    return new Promise<Response>((resolve, reject) => {
      let given = false;
      init.signal?.addEventListener("abort", () => {
        if (!from.alive || given) return;
        given = true;
        landed();
        unknown();
        count("timeout");
        trace.say(`gave up ${calls.map(({ id }) => id).join(" ")}`);
        reject(init.signal?.reason);
      });
      const arrive = () => {
        const answer = arrived(request, calls);
        if (answer === "silent") return;
        timeline.in(answer.ms + base + jitter(), () => {
          if (!from.alive || given) return;
          given = true;
          landed();
          if (answer.status >= 500 || answer.status === 408) unknown();
          if (calls.length === 1 && calls[0] && isRefusal(answer)) calls[0].refused = answer.status;
          trace.say(`answer ${answer.status} to ${calls.map(({ id }) => id).join(" ")}`);
          spring("answered");
          resolve(responseOf(answer));
        });
      };
      // What leaves waits for what was written before it.
      void disk.durable(from).then(() => {
        if (!from.alive) return;
        spring("left");
        timeline.in(base + jitter(), arrive);
      });
    });
  };

  const ours: number[] = [];
  const arrived = (request: Request | undefined, calls: readonly Known[]): Answer | "silent" => {
    const now = timeline.now() + schedule.ahead;
    ours.push(now);
    const eleventh = ours.at(-11);
    note(() =>
      promise(
        eleventh === undefined || now - eleventh >= 1000,
        `11 requests reached the host within ${now - (eleventh ?? 0)} ms.`,
      ),
    );
    if (!request) return { status: 200, ms: schedule.takes };
    const { answer, acted, contact } = host.arrive(request, timeline.now());
    const status = answer === "silent" ? "silent" : String(answer.status);
    count(`host ${status}${acted ? " acted" : ""}`);
    trace.say(`  arrived ${calls.map(({ id }) => id).join(" ")}: ${status}${acted ? ", acted" : ""}`);
    if (acted) {
      acts.push({ calls, request, contact, people: model.people() });
      for (const known of calls) {
        known.acted++;
        const keyed = known.call.action === "event" || known.call.action === "transactional";
        note(() => promise(!keyed || known.acted === 1, `The host acted twice on ${known.id}.`));
      }
      spring("acted");
    }
    return answer;
  };
  const acts: Act[] = [];

  // Providers
  const acknowledged = new Map<string, string>();
  const deliver = (sent: readonly Marked[], tries = 1): void => {
    let answered = false;
    const again = () => {
      if (answered) return;
      answered = true;
      count("delivered again for want of an answer");
      timeline.in(doorRandom.int(500, 8_000) * tries, () => deliver(sent, tries + 1));
    };
    withProcess((current) => {
      current.engine.accept(sent).then(
        async (taken) => {
          if (!current.alive) return;
          promise("receipts" in taken, "The door was closed.");
          model.reload(false);
          trace.say(`accepted ${sent.map(({ name }) => name).join(" ")}`);
          spring("accepted");
          await disk.durable(current);
          if (answered || !current.alive || !("receipts" in taken)) return;
          answered = true;
          taken.receipts.forEach(({ id, duplicate }, place) => {
            const { name } = sent[place] as Marked;
            const before = acknowledged.get(name);
            if (duplicate) count("duplicate");
            note(() => {
              promise(before === undefined || duplicate, `${name} was taken for a new webhook again.`);
              promise(before === undefined || before === id, `${name} has two ids, ${before} and ${id}.`);
            });
            acknowledged.set(name, id);
          });
        },
        (error: unknown) => note(() => promise(false, `accept() threw: ${String(error)}`)),
      );
    });
    timeline.in(30_000, again);
  };

  const perform = (step: Step): void => {
    if (step.kind === "webhooks") deliver(step.webhooks);
    if (step.kind === "crash" || step.kind === "evict") end(step.kind);
    if (step.kind === "ambush") ambushes.add(step.when);
    if (step.kind === "jump") {
      trace.say(`clock set by ${step.by} ms`);
      count(step.by > 0 ? "clock set forward" : "clock set back");
      offset += step.by;
      setBack += Math.max(0, -step.by);
      expectAlarm();
    }
    if (step.kind === "stop" || step.kind === "resume") stop(step.source, step.kind === "stop");
    if (step.kind === "enter") enter(step.lane, step.patience);
    if (step.kind === "others")
      for (let n = 0; n < step.requests; n++)
        timeline.in((n * step.over) / step.requests, () => host.other(timeline.now()));
  };

  /** A person's word, said again until it was heard. */
  const stop = (source: string | undefined, stopped: boolean): void =>
    withProcess((current) => {
      const { engine } = current;
      trace.say(`${stopped ? "stop" : "resume"} ${source ?? "all"}`);
      count(stopped ? "stop" : "resume");
      const name = source ?? "";
      if (stopped && !stops.has(name)) stops.set(name, wall());
      new Ledger(engine.means, engine.dispatcher, () => {}).pause(source, stopped);
      let heard = false;
      void disk.durable(current).then(() => {
        if (!current.alive) return;
        heard = true;
        if (stopped) return;
        stoppedBefore += wall() - (stops.get(name) ?? wall());
        stops.delete(name);
      });
      timeline.in(2_000, () => !heard && stop(source, stopped));
    });

  const enter = (lane: Item["lane"], patience: number): void =>
    withProcess((current) => {
      let runs = 0;
      let over = false;
      const takeBack = current.engine.dispatcher.enter(lane, {
        run: () => {
          runs++;
          count("entered request");
          trace.say(`a request that entered in lane ${lane} leaves`);
          note(() => promise(runs === 1 && !over, "A request that was taken back, or had left before, left."));
          return new Promise<Outcome>((resolve) => {
            timeline.in(base + jitter(), () => {
              const answer = arrived(undefined, []) as Answer;
              timeline.in(answer.ms + base, () => current.alive && resolve({ kind: "done", status: answer.status }));
            });
          });
        },
      });
      void current.engine.dispatcher.nudge();
      timeline.in(patience, () => {
        if (!current.alive) return;
        over = takeBack();
        if (over) count("entered request taken back");
      });
    });

  return {
    ...{ seed, schedule, timeline, trace, counts, count, model, host, acts, acknowledged, disk, watch, webhooks },
    perform,
    resumeAll: () => {
      for (const name of [...stops.keys()]) stop(name === "" ? undefined : name, false);
    },
    process: () => process,
    wall,
    isStill: () => !process || process.flying.size === 0,
    /** One thing more happens. False when nothing more will. */
    step: async (): Promise<boolean> => {
      const more = await timeline.step();
      if (acting) throw acting;
      disk.flush();
      return more;
    },
    HOUR,
  };
};

export type Act = {
  calls: readonly Known[];
  request: Request;
  contact: { id: number } | undefined;
  people: ReturnType<ReturnType<typeof createModel>["people"]>;
};

/** Now and then something holds everything up for longer than the guard allows for. It shows in how late the answer is. */
const stall = (random: Random): number => (random.chance(0.02) ? random.int(20, 1_500) : 0);

const isRefusal = ({ status, code }: Answer): boolean =>
  status >= 400 && status < 500 && ![401, 408, 429].includes(status) && code !== "idempotency_key_used";

const responseOf = ({ status, code, message, retryAfter, id }: Answer): Response => {
  const ok = status < 300;
  const body = ok ? { success: true, id } : { success: false, message, ...(code ? { code } : {}) };
  const headers = new Map(retryAfter === undefined ? [] : [["retry-after", String(retryAfter)]]);
  return {
    ok,
    status,
    headers: { get: (name: string) => headers.get(name.toLowerCase()) ?? null },
    text: () => Promise.resolve(JSON.stringify(body)),
  } as unknown as Response;
};
