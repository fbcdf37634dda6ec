import { type Env, outboxOf } from "../../env.ts";
import { isoOf } from "../../lib/util/dates.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { type Interruption, outageText } from "../../outbox/model/interruption.ts";
import type { FullStatus as Status } from "../../outbox/monitor/status.ts";
import { healthOf } from "../health.ts";
import { noSource } from "../no-source.ts";
import { type Answer, type BridgeHandlers, type Caller, refuse } from "./handler.ts";

export const dispatch: BridgeHandlers<"dispatch"> = {
  status: async ({ env }) => ({ body: shown(await statusOf(env)) }),
  pause: (caller, { source }) => change(caller, source, true),
  resume: (caller, { source }) => change(caller, source, false),
};

const statusOf = (env: Env): Promise<Status> => callObject(() => outboxOf(env).status());

/** A second pause keeps the time of the first. */
const change = async ({ env, sources }: Caller, source: string | undefined, paused: boolean): Promise<Answer> => {
  if (source !== undefined && !Object.hasOwn(sources, source)) {
    // A removed source that is paused can still be resumed.
    const { pauses } = await statusOf(env);
    if (paused || !Object.hasOwn(pauses.sources, source))
      return refuse("invalid_request", `source: ${noSource(source, Object.keys(sources))}`, "source");
  }
  await outboxOf(env).pause(source, paused);
  return { body: shown(await statusOf(env)) };
};

const shown = (status: Status) => {
  const { waiting, late, interruption, foreignAnswers, lanes, forIdentity, inFlight, pauses, quotas } = status;
  const { pace, bytes, attention, nearlyFull } = status;
  const { status: health, reasons } = healthOf({ ...status, quotas: nearlyFull });
  return {
    dispatch: stateOf(status),
    health: { status: health, reasons },
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
    pace,
    database: { bytes },
    attention,
  };
};

const stateOf = ({ interruption, pauses }: Status): "running" | "paused" | Interruption["reason"] =>
  pauses.all === undefined ? (interruption?.reason ?? "running") : "paused";
