import { type Context, Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { randomId } from "../../lib/util/id.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { seqOf } from "../../outbox/model/calls.ts";
import type { CallRef, Overload } from "../../outbox/model/types.ts";
import { type Acted, NOT_FOUND } from "../../outbox/operator/actions.ts";
import type { Retried, ShownCall } from "../../outbox/operator/operator.ts";
import type { Reach } from "../../outbox/operator/search.ts";
import { callIdOf } from "../../outbox/operator/sentences.ts";
import { refuse } from "../errors.ts";
import { body, cursor, filterOf, flag, pageReaders, query, searchReaders } from "./params.ts";
import { callOf, crowded, foundOf, reachOf } from "./show.ts";

const LIMIT = 20;
/** Calls that the answer about many names. */
const EXAMPLES = 10;

/** Search of calls, and what a person can do about one that came to nothing. */
export const calls = new Hono<{ Bindings: Env }>()
  .get("/", async (c) => {
    const given = query(c.req.raw, { ...searchReaders, ...pageReaders }, Date.now());
    if (given instanceof Response) return given;
    const { limit = LIMIT, cursor: before } = given;
    const part = { limit, ...(before === undefined ? {} : { before }) };
    const found = await callObject(
      async () =>
        (await outboxOf(c.env).searchCalls(filterOf(given), part)) as unknown as Reach & { calls: ShownCall[] },
    );
    return c.json({ data: found.calls.map(foundOf), ...reachOf(found) });
  })
  .post("/retry", async (c) => {
    const given = await body(c.req.raw, { ...searchReaders, cursor, dryRun: flag }, Date.now());
    if (given instanceof Response) return given;
    const { dryRun = true } = given;
    const all = await outboxOf(c.env).retryAll(filterOf(given), given.cursor, dryRun);
    const retried = all as unknown as Retried | { overload: Overload };
    if ("overload" in retried) return crowded(retried.overload);
    return c.json({
      dryRun,
      retried: retried.retried.length,
      refused: retried.refused,
      examples: retried.retried.slice(0, EXAMPLES).map(callIdOf),
      ...reachOf(retried),
    });
  })
  .post("/:id/retry", (c) => act(c, {}, async (ref) => outboxOf(c.env).retry(ref) as unknown as Promise<Acted>))
  .post("/:id/discard", (c) => act(c, {}, async (ref) => outboxOf(c.env).discard(ref) as unknown as Promise<Acted>))
  .post("/:id/send-again", (c) =>
    act(c, { confirm: flag }, async (ref, { confirm }) => {
      return outboxOf(c.env).sendAgain(ref, confirm === true, randomId("again", 40)) as unknown as Promise<Acted>;
    }),
  );

const act = async (
  c: Context<{ Bindings: Env }>,
  readers: { confirm?: typeof flag },
  what: (ref: CallRef, given: { confirm?: boolean }) => Promise<Acted>,
): Promise<Response> => {
  const given = await body(c.req.raw, readers as { confirm: typeof flag }, Date.now());
  if (given instanceof Response) return given;
  const ref = refOf(c.req.param("id") ?? "");
  const acted: Acted = ref ? await what(ref, given) : { refusal: NOT_FOUND };
  if ("refusal" in acted) return refuse(acted.refusal.code, acted.refusal.message);
  const { seq, index } = ref as CallRef;
  return c.json(callOf(seq, index, acted.call, undefined));
};

/** A call's place by its id: that of its webhook, a dot, and its number there. */
const refOf = (id: string): CallRef | undefined => {
  const [, webhook, index] = /^(wh_[0-9a-z]+)\.(\d{1,4})$/.exec(id) ?? [];
  const seq = webhook === undefined ? undefined : seqOf(webhook);
  return seq === undefined ? undefined : { seq, index: Number(index) };
};
