import { type Context, Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import type { Interruption, Pauses } from "../../outbox/model/interruption.ts";
import type { DeliveryStatus } from "../../outbox/monitor/status.ts";
import { sources } from "../../sources.ts";
import { refuse } from "../errors.ts";
import { noSource } from "../no-source.ts";
import { body, placeReaders, query } from "./params.ts";
import { iso } from "./show.ts";

type Status = { waiting: number; late: number; interruption: Interruption | null } & DeliveryStatus;

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

/** Pauses or resumes a source, or all delivery. What is paused already stays so since then. */
const turn = async (c: Context<{ Bindings: Env }>, paused: boolean): Promise<Response> => {
  const given = await body(c.req.raw, { source: placeReaders.source }, Date.now());
  if (given instanceof Response) return given;
  const { source } = given;
  if (source !== undefined && !Object.hasOwn(sources, source)) {
    // A source that is gone from the configuration can still be resumed.
    const { pauses } = await statusOf(c.env);
    if (paused || !Object.hasOwn(pauses.sources, source))
      return refuse("invalid_parameter", `source: ${noSource(source, Object.keys(sources))}`);
  }
  await outboxOf(c.env).pause(source, paused);
  return c.json(shown(await statusOf(c.env)));
};

const shown = ({ waiting, late, interruption, lanes, identity, sending, pauses }: Status) => ({
  delivery: stateOf(interruption, pauses),
  paused: {
    all: pauses.all === undefined ? null : iso(pauses.all),
    sources: Object.fromEntries(Object.entries(pauses.sources).map(([name, since]) => [name, iso(since)])),
  },
  interruption: interruption && {
    ...{ reason: interruption.reason, message: interruption.message, tries: interruption.probes + 1 },
    ...{ since: iso(interruption.since), until: iso(interruption.until) },
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

const stateOf = (interruption: Interruption | null, pauses: Pauses): "running" | "paused" | "blocked" | "backoff" =>
  pauses.all !== undefined
    ? "paused"
    : interruption?.reason === "blocked"
      ? "blocked"
      : interruption
        ? "backoff"
        : "running";
