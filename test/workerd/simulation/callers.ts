import { LIMITS } from "../../../src/outbox/intake/intake.ts";
import type { AcceptResult, Lane } from "../../../src/outbox/model/journal-types.ts";
import type { Outcome } from "../../../src/outbox/model/outcome.ts";
import { Operator } from "../../../src/outbox/operator/operator.ts";
import { QUOTA } from "../../../src/outbox/queue/quota.ts";
import { promise } from "./checks.ts";
import type { Network } from "./network.ts";
import type { Process, SimulatedObject } from "./object.ts";
import type { Step } from "./schedule.ts";
import type { NamedWebhook } from "./webhooks.ts";
import { type Foundation, START } from "./world.ts";

/** Ms a provider waits for an answer. */
const PATIENCE = 30_000;

/** All callers of the object: providers, operators, and senders of gateway requests. */
export const createCallers = (ground: Foundation, object: SimulatedObject, network: Network) => {
  const { schedule, timeline, trace, count, note, model, disk, service, downtime, wall, base, jitter, randomOf } =
    ground;
  const acknowledged = new Map<string, string>();

  const deliver = (sent: readonly NamedWebhook[], attempts = 1): void => {
    let over = false;
    const again = (after: number) => {
      if (over) return;
      over = true;
      timeline.in(after, () => deliver(sent, attempts + 1));
    };
    object.withProcess((current) => {
      const { limits, quota } = schedule.tight && timeline.now() < START + schedule.healthyAt ? TIGHT : WIDE;
      Object.assign(LIMITS, limits);
      Object.assign(QUOTA, quota);
      current.engine.accept(sent).then(
        async (taken) => {
          if (!current.alive) return;
          if ("overload" in taken) {
            count("refused for overload");
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
      if (!over) count("sent again without an answer");
      again(randomOf.providers.int(500, 8_000) * attempts);
    });
  };

  const acknowledge = (
    sent: readonly NamedWebhook[],
    { receipts }: Exclude<AcceptResult, { overload: unknown }>,
  ): void =>
    receipts.forEach(({ id, duplicate }, place) => {
      const { name } = sent[place] as NamedWebhook;
      const before = acknowledged.get(name);
      if (duplicate) count("duplicate");
      note(() => {
        promise(before === undefined || duplicate, `${name} was accepted as a new webhook again.`);
        promise(before === undefined || before === id, `${name} has two ids, ${before} and ${id}.`);
      });
      acknowledged.set(name, id);
    });

  const pause = (source: string | undefined, paused: boolean): void =>
    object.withProcess((current) => {
      const { engine } = current;
      const name = source ?? "";
      // These words are part of the hash of the traces.
      trace.say(`${paused ? "stop" : "resume"} ${source ?? "all"}`);
      count(paused ? "pause" : "resume");
      if (paused && !downtime.pauses.has(name)) downtime.pauses.set(name, wall());
      new Operator(engine.deps, engine.dispatcher, () => 0).pause(source, paused);
      let durable = false;
      void disk.durable(current).then(() => {
        durable = true;
        if (paused) return;
        downtime.paused += wall() - (downtime.pauses.get(name) ?? wall());
        downtime.pauses.delete(name);
      });
      timeline.in(2_000, () => !durable && pause(source, paused));
    });

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
          promise(runs === 1 && !over, "A gateway request was sent although it was taken back, or it was sent twice.");
          ground.checks.checkLanes(
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
      const sentAt = timeline.now();
      timeline.in(base + jitter(), () => {
        network.counted(sentAt);
        service.other(timeline.now());
        timeline.in(schedule.takes + base, () => {
          network.heard(from, sentAt);
          if (from.alive) resolve({ kind: "done", status: 200 });
        });
      });
    });

  const perform = (step: Step): void => {
    if (step.kind === "webhooks") deliver(step.webhooks);
    else if (step.kind === "crash") object.end("crash");
    else if (step.kind === "evict") object.end("evict");
    else if (step.kind === "ambush") object.armAmbush(step.when);
    else if (step.kind === "pause") pause(step.source, true);
    else if (step.kind === "resume") pause(step.source, false);
    else if (step.kind === "enter") enter(step.lane, step.patience);
    else if (step.kind === "jump") {
      trace.say(`clock set by ${step.by} ms`);
      count(step.by > 0 ? "clock set forward" : "clock set back");
      ground.setClock(step.by);
      object.expectAlarm();
    } else {
      count("other callers");
      for (let n = 0; n < step.requests; n++)
        timeline.in((n * step.over) / step.requests, () => service.other(timeline.now()));
    }
  };

  return {
    acknowledged,
    perform,
    resumeAll: (): void => {
      for (const name of [...downtime.pauses.keys()]) pause(name === "" ? undefined : name, false);
    },
  };
};

const WIDE = { limits: { ...LIMITS }, quota: { ...QUOTA } };
const TIGHT = {
  limits: { ...LIMITS, waiting: 2 },
  quota: { ...QUOTA, all: 18, urgent: 3, paused: 9, least: 2 },
};
