import { type Env, outboxOf } from "../../env.ts";
import { isoOf, isoOrNull } from "../../lib/util/dates.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { type Interruption, outageText } from "../../outbox/model/interruption.ts";
import type { FullStatus as Status } from "../../outbox/monitor/status.ts";
import { healthOf } from "../health.ts";
import { noSource } from "../no-source.ts";
import { type HealthStatus, isolateProblems, problemsOf } from "../problems.ts";
import { problemOf } from "./cures.ts";
import { type Answer, type BridgeHandlers, type Caller, refuse } from "./handler.ts";

export const dispatch: BridgeHandlers<"dispatch"> = {
  status: async (caller) => ({ body: shown(await statusOf(caller.env), caller) }),
  pause: (caller, { source }) => change(caller, source, true),
  resume: (caller, { source }) => change(caller, source, false),
};

export const statusOf = (env: Env): Promise<Status> => callObject(() => outboxOf(env).status());

/** A second pause keeps the time of the first. */
const change = async (caller: Caller, source: string | undefined, paused: boolean): Promise<Answer> => {
  const { env, sources } = caller;
  if (source !== undefined && !Object.hasOwn(sources, source)) {
    // A removed source that is paused can still be resumed.
    const { pauses } = await statusOf(env);
    if (paused || !Object.hasOwn(pauses.sources, source))
      return refuse("invalid_request", `source: ${noSource(source, Object.keys(sources))}`, "source");
  }
  await outboxOf(env).pause(source, paused);
  return { body: shown(await statusOf(env), caller) };
};

const shown = (status: Status, caller: Caller) => {
  const { waiting, late, interruption, foreignAnswers, lanes, forIdentity, inFlight, pauses, quotas } = status;
  const { pace, bytes, attention } = status;
  const now = Date.now();
  const known = knownOf(status, caller.env, now);
  const { status: health, reasons } = healthOf(known);
  return {
    dispatch: stateOf(status),
    health: { status: health, reasons, problems: problemsOf(known, now).map((one) => problemOf(one, caller)) },
    paused: {
      all: pauses.all === undefined ? null : isoOf(pauses.all),
      sources: Object.fromEntries(Object.entries(pauses.sources).map(([name, since]) => [name, isoOf(since)])),
    },
    interruption: interruption && {
      reason: interruption.reason,
      message: interruption.reason === "outage" ? outageText(interruption) : interruption.message,
      attempts: interruption.probes + 1,
      since: isoOf(interruption.since),
      until: isoOf(interruption.until),
      lastSuccess: interruption.lastSuccess === undefined ? null : isoOf(interruption.lastSuccess),
    },
    foreignAnswers: foreignAnswers && {
      message: foreignAnswers.message,
      count: foreignAnswers.count,
      since: isoOf(foreignAnswers.since),
      last: isoOf(foreignAnswers.at),
    },
    waiting: {
      total: waiting,
      identity: forIdentity,
      sending: inFlight,
      oldestMs: late,
      lanes: Object.fromEntries(
        Object.entries(lanes).map(([lane, { waiting: count, oldest }]) => [
          lane,
          { waiting: count, oldest: oldest === undefined ? null : isoOf(oldest) },
        ]),
      ),
      sources: Object.fromEntries(quotas.map(({ source, used, quota }) => [source, { waiting: used, quota }])),
    },
    backlog: backlogOf(status),
    pace,
    database: { bytes },
    attention,
  };
};

/** Adds what only this isolate knows. */
export const knownOf = (status: Status, env: Env, now: number): HealthStatus => ({
  ...status,
  quotas: status.nearlyFull,
  problems: [...isolateProblems(env, now), ...status.problems],
});

export const backlogOf = ({ waiting, drain: { doneAt, ...rates } }: Status) => ({
  waiting,
  ...rates,
  doneAt: isoOrNull(doneAt),
});

const stateOf = ({ interruption, pauses }: Status): "running" | "paused" | Interruption["reason"] =>
  pauses.all === undefined ? (interruption?.reason ?? "running") : "paused";
