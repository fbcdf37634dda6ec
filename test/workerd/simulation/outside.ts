import { LIMITS } from "../../../src/outbox/intake/intake.ts";
import type { Outcome } from "../../../src/outbox/model/outcome.ts";
import type { AcceptResult, Lane } from "../../../src/outbox/model/types.ts";
import { Operator } from "../../../src/outbox/operator/operator.ts";
import type { Network } from "./network.ts";
import type { Process, SimulatedObject } from "./object.ts";
import type { Step } from "./schedule.ts";
import { promise } from "./watch.ts";
import type { Marked } from "./webhooks.ts";
import { type Ground, START } from "./world.ts";

/** Ms a provider waits for an answer. */
const PATIENCE = 30_000;

/** Everybody who comes to the object: providers, people, callers of the gateway. */
export const createOutside = (ground: Ground, object: SimulatedObject, network: Network) => {
  const { schedule, timeline, trace, count, note, model, disk, host, held, wall, base, jitter, randomOf } = ground;
  /** Ids by name of webhook. */
  const acknowledged = new Map<string, string>();

  /** A provider sends webhooks in one request, again until it is told that they were taken. */
  const deliver = (sent: readonly Marked[], tries = 1): void => {
    let over = false;
    const again = (after: number) => {
      if (over) return;
      over = true;
      timeline.in(after, () => deliver(sent, tries + 1));
    };
    object.withProcess((current) => {
      Object.assign(LIMITS, schedule.tight && timeline.now() < START + schedule.wellAt ? TIGHT : WIDE);
      current.engine.accept(sent).then(
        async (taken) => {
          if (!current.alive) return;
          if ("overload" in taken) {
            count("sent away");
            again(taken.overload.retryAfter * 1000);
            return;
          }
          trace.say(`accepted ${sent.map(({ name }) => name).join(" ")}`);
          model.accepted(count);
          ground.on.moment("accepted");
          await disk.durable(current);
          if (over) return;
          over = true;
          acknowledge(sent, taken);
        },
        (error: unknown) => note(() => promise(false, `accept() threw: ${String(error)}`)),
      );
    });
    timeline.in(PATIENCE, () => {
      if (!over) count("delivered again for want of an answer");
      again(randomOf.door.int(500, 8_000) * tries);
    });
  };

  const acknowledge = (sent: readonly Marked[], { receipts }: Exclude<AcceptResult, { overload: unknown }>): void =>
    receipts.forEach(({ id, duplicate }, place) => {
      const { name } = sent[place] as Marked;
      const before = acknowledged.get(name);
      if (duplicate) count("duplicate");
      note(() => {
        promise(before === undefined || duplicate, `${name} was taken for a new webhook again.`);
        promise(before === undefined || before === id, `${name} has two ids, ${before} and ${id}.`);
      });
      acknowledged.set(name, id);
    });

  /** A person's word, said again until it was heard. */
  const stop = (source: string | undefined, stopped: boolean): void =>
    object.withProcess((current) => {
      const { engine } = current;
      const name = source ?? "";
      trace.say(`${stopped ? "stop" : "resume"} ${source ?? "all"}`);
      count(stopped ? "stop" : "resume");
      if (stopped && !held.pauses.has(name)) held.pauses.set(name, wall());
      new Operator(engine.deps, engine.dispatcher).pause(source, stopped);
      let heard = false;
      void disk.durable(current).then(() => {
        heard = true;
        if (stopped) return;
        held.stopped += wall() - (held.pauses.get(name) ?? wall());
        held.pauses.delete(name);
      });
      timeline.in(2_000, () => !heard && stop(source, stopped));
    });

  /** A caller of the gateway. */
  const enter = (lane: Lane, patience: number): void =>
    object.withProcess((current) => {
      let runs = 0;
      let over = false;
      const run = () => {
        runs++;
        count("gateway: left");
        trace.say(`a request that entered in lane ${lane} leaves`);
        const { queue } = current.engine.dispatcher;
        note(() => {
          promise(runs === 1 && !over, "A request left that was taken back, or had left before.");
          ground.watch.everyLane(
            queue,
            [...queue.items.values()].filter(({ gatewayRequest }) => gatewayRequest?.run === run),
          );
        });
        return forward(current);
      };
      const takeBack = current.engine.dispatcher.enter(lane, { run });
      void current.engine.dispatcher.nudge();
      timeline.in(patience, () => {
        over = current.alive && takeBack();
        if (over) count("gateway: taken back");
      });
    });

  const forward = (from: Process): Promise<Outcome> =>
    new Promise((resolve) => {
      timeline.in(base + jitter(), () => {
        network.counted();
        host.other(timeline.now());
        timeline.in(schedule.takes + base, () => from.alive && resolve({ kind: "done", status: 200 }));
      });
    });

  const perform = (step: Step): void => {
    if (step.kind === "webhooks") deliver(step.webhooks);
    else if (step.kind === "crash") object.end("crash");
    else if (step.kind === "evict") object.end("evict");
    else if (step.kind === "ambush") object.lieInWait(step.when);
    else if (step.kind === "stop") stop(step.source, true);
    else if (step.kind === "resume") stop(step.source, false);
    else if (step.kind === "enter") enter(step.lane, step.patience);
    else if (step.kind === "jump") {
      trace.say(`clock set by ${step.by} ms`);
      count(step.by > 0 ? "clock set forward" : "clock set back");
      ground.setClock(step.by);
      object.expectAlarm();
    } else {
      count("other callers");
      for (let n = 0; n < step.requests; n++)
        timeline.in((n * step.over) / step.requests, () => host.other(timeline.now()));
    }
  };

  return {
    ...{ acknowledged, perform },
    resumeAll: (): void => {
      for (const name of [...held.pauses.keys()]) stop(name === "" ? undefined : name, false);
    },
  };
};

const WIDE = { ...LIMITS };
/** So little room that providers are sent away. */
const TIGHT = { ...LIMITS, waiting: 2, open: 12 };
