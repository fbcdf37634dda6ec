import { type Context, Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { isoOf } from "../../lib/util/dates.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import type { FullStatus as Status } from "../../outbox/monitor/status.ts";
import { sources } from "../../sources.ts";
import { refuse } from "../errors.ts";
import { healthOf } from "../health.ts";
import { noSource } from "../no-source.ts";
import { body, query, webhookFields } from "./params.ts";

export const delivery = new Hono<{ Bindings: Env }>()
  .get("/status", async (c) => {
    const given = query(c.req.raw, {});
    if (given instanceof Response) return given;
    return c.json(shown(await statusOf(c.env)));
  })
  .post("/pause", (c) => change(c, true))
  .post("/resume", (c) => change(c, false));

const statusOf = (env: Env): Promise<Status> => callObject(() => outboxOf(env).status());

/** A second pause keeps the time of the first. */
const change = async (c: Context<{ Bindings: Env }>, paused: boolean): Promise<Response> => {
  const given = await body(c.req.raw, { source: webhookFields.source });
  if (given instanceof Response) return given;
  const { source } = given;
  if (source !== undefined && !Object.hasOwn(sources, source)) {
    // A removed source that is paused can still be resumed.
    const { pauses } = await statusOf(c.env);
    if (paused || !Object.hasOwn(pauses.sources, source))
      return refuse("invalid_parameter", `source: ${noSource(source, Object.keys(sources))}`);
  }
  await outboxOf(c.env).pause(source, paused);
  return c.json(shown(await statusOf(c.env)));
};

const shown = (status: Status) => {
  const { waiting, late, interruption, foreignAnswers, lanes, forIdentity, inFlight, pauses, rooms } = status;
  const { pace, bytes, attention, nearlyFull } = status;
  const { status: health, reasons } = healthOf({ ...status, rooms: nearlyFull });
  return {
    delivery: stateOf(status),
    health: { status: health, reasons },
    paused: {
      all: pauses.all === undefined ? null : isoOf(pauses.all),
      sources: Object.fromEntries(Object.entries(pauses.sources).map(([name, since]) => [name, isoOf(since)])),
    },
    interruption: interruption && {
      reason: interruption.reason,
      message: interruption.message,
      attempts: interruption.probes + 1,
      since: isoOf(interruption.since),
      until: isoOf(interruption.until),
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
      sources: Object.fromEntries(rooms.map(({ source, used, room }) => [source, { waiting: used, room }])),
    },
    pace,
    database: { bytes },
    attention,
  };
};

const stateOf = ({ interruption, pauses }: Status): "running" | "paused" | "blocked" | "backoff" =>
  pauses.all === undefined ? (interruption?.reason ?? "running") : "paused";
