import { type Context, Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import type { Pause, Stops } from "../../outbox/delivery/limits/interruption.ts";
import type { DeliveryStatus } from "../../outbox/monitor/status.ts";
import { sources } from "../../sources.ts";
import { refuse } from "../errors.ts";
import { noSource } from "../no-source.ts";
import { body, placeReaders, query } from "./params.ts";
import { iso } from "./show.ts";

type Status = { waiting: number; late: number; pause: Pause | null } & DeliveryStatus;

/** Whether delivery goes on, and a person's word that it shall not. */
export const delivery = new Hono<{ Bindings: Env }>()
  .get("/status", async (c) => {
    const given = query(c.req.raw, {}, Date.now());
    if (given instanceof Response) return given;
    return c.json(shown(await statusOf(c.env)));
  })
  .post("/pause", (c) => turn(c, true))
  .post("/resume", (c) => turn(c, false));

const statusOf = async (env: Env): Promise<Status> =>
  callObject(async () => (await outboxOf(env).status()) as unknown as Status);

/** Stops or resumes a source, or all delivery. What is paused already stays so since then. */
const turn = async (c: Context<{ Bindings: Env }>, paused: boolean): Promise<Response> => {
  const given = await body(c.req.raw, { source: placeReaders.source }, Date.now());
  if (given instanceof Response) return given;
  const { source } = given;
  if (source !== undefined && !Object.hasOwn(sources, source)) {
    // A source that is gone from the configuration can still be resumed.
    const { stops } = await statusOf(c.env);
    if (paused || !Object.hasOwn(stops.sources, source))
      return refuse("invalid_parameter", `source: ${noSource(source, Object.keys(sources))}`);
  }
  await outboxOf(c.env).pause(source, paused);
  return c.json(shown(await statusOf(c.env)));
};

const shown = ({ waiting, late, pause, lanes, identity, sending, stops }: Status) => ({
  delivery: stateOf(pause, stops),
  paused: {
    all: stops.all === undefined ? null : iso(stops.all),
    sources: Object.fromEntries(Object.entries(stops.sources).map(([name, since]) => [name, iso(since)])),
  },
  host: pause && {
    ...{ reason: pause.reason, message: pause.message, tries: pause.probes + 1 },
    ...{ since: iso(pause.since), until: iso(pause.until) },
  },
  waiting: {
    total: waiting,
    identity,
    sending,
    oldestMs: late,
    lanes: Object.fromEntries(
      Object.entries(lanes).map(([lane, { waiting: count, oldest }]) => [
        lane,
        { waiting: count, oldest: oldest === undefined ? null : iso(oldest) },
      ]),
    ),
  },
});

const stateOf = (pause: Pause | null, stops: Stops): "running" | "paused" | "held" | "limited" =>
  stops.all !== undefined ? "paused" : pause?.reason === "held" ? "held" : pause ? "limited" : "running";
