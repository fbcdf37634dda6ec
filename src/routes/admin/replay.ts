import { type Context, Hono } from "hono";
import { type Env, outboxOf } from "../../env.ts";
import { isObject } from "../../lib/util/json.ts";
import { callObject } from "../../lib/util/retry-object.ts";
import { idOf, seqOf } from "../../outbox/model/calls.ts";
import type { Call, Overload } from "../../outbox/model/types.ts";
import type { Action, Gone, NotMade, Planned, Stored, StoredPage, Verdict } from "../../outbox/operator/replay.ts";
import { taskOf, whomOf } from "../../outbox/operator/sentences.ts";
import { plan } from "../../rules/evaluate.ts";
import { type Source, sources } from "../../sources.ts";
import { keyOf, skipOf } from "../plan.ts";
import { actions, body, cursor, filterOf, flag, placeReaders } from "./params.ts";
import { crowded, reachOf } from "./show.ts";
import { notFound } from "./webhooks.ts";

/** Calls that the answer names. */
const EXAMPLES = 10;

const readers = { dryRun: flag, actions };

/**
 * Runs the rules of now over stored webhooks again, without their mail and events unless asked for. By itself it only
 * says what it would come to.
 */
export const replayOf = (all: Readonly<Record<string, Source>>) =>
  new Hono<{ Bindings: Env }>()
    .post("/webhooks/:id/replay", async (c) => {
      const given = await body(c.req.raw, readers, Date.now());
      if (given instanceof Response) return given;
      const seq = seqOf(c.req.param("id"));
      const page =
        seq === undefined
          ? null
          : await callObject(async () => outboxOf(c.env).storedOne(seq) as unknown as Promise<StoredPage | null>);
      return page ? run(c, all, page, given) : notFound();
    })
    .post("/replay", async (c) => {
      const given = await body(c.req.raw, { ...readers, ...placeReaders, cursor }, Date.now());
      if (given instanceof Response) return given;
      const page = await callObject(
        async () => outboxOf(c.env).stored(filterOf(given), given.cursor) as unknown as Promise<StoredPage>,
      );
      return run(c, all, page, given);
    });

export const replay = replayOf(sources);

const run = async (
  c: Context<{ Bindings: Env }>,
  all: Readonly<Record<string, Source>>,
  page: StoredPage,
  { dryRun = true, actions = ["contact"] }: { dryRun?: boolean; actions?: Action[] },
): Promise<Response> => {
  const planned = await Promise.all(page.webhooks.map((webhook) => planAgain(all, webhook)));
  const replayed = await outboxOf(c.env).replay(planned, actions, dryRun);
  const verdicts = replayed as unknown as Verdict[] | { overload: Overload };
  if ("overload" in verdicts) return crowded(verdicts.overload);
  const made = verdicts.filter(({ notMade }) => notMade === undefined);
  return c.json({
    dryRun,
    actions,
    webhooks: page.webhooks.length + page.gone.length,
    notReplayable: count<Gone>(page.gone.map(({ why }) => why)),
    failed: planned
      .flatMap(({ seq, outcomes }) =>
        outcomes.flatMap(({ rule, outcome, message }) =>
          outcome === "failed" ? [{ webhook: idOf(seq), rule, message: message ?? "" }] : [],
        ),
      )
      .slice(0, EXAMPLES),
    calls: made.length,
    byAction: count(made.map(({ call }) => call.action)),
    byRule: count(made.map(({ call }) => call.rule)),
    notMade: count<NotMade>(verdicts.flatMap(({ notMade }) => notMade ?? [])),
    examples: made.slice(0, EXAMPLES).map(({ seq, call }) => ({
      ...{ webhook: idOf(seq), rule: call.rule, action: call.action },
      ...{ what: taskOf(call as Call), whom: whomOf(call as Call) },
    })),
    ...reachOf(page),
  });
};

/** What the rules of now want done about a stored webhook. Without rules, nothing. */
const planAgain = async (all: Readonly<Record<string, Source>>, stored: Stored): Promise<Planned> => {
  const { seq, source: name, type, occurredAt, test } = stored;
  const source = Object.hasOwn(all, name) ? all[name] : undefined;
  if (!source?.rules) return { seq, calls: [], outcomes: [], links: [] };
  const { calls, outcomes, links } = plan(source.rules, {
    ...{ source: name, id: stored.eventId, type, occurredAt, test, body: bodyOf(stored) },
  });
  const skip = skipOf(source, test);
  const event = eventOf(stored);
  return {
    seq,
    calls: await Promise.all(
      calls.map(async (call) => ({ ...call, key: await keyOf(name, event, call.rule, call.action) })),
    ),
    outcomes,
    links: test && skip !== undefined ? [] : links,
    ...(skip === undefined ? {} : { skip }),
  };
};

/** The body as the handler gave it to the rules: what they tell events by is in it, also where the provider has none. */
const bodyOf = ({ body, type }: Stored): unknown => {
  const json: unknown = JSON.parse(body);
  return isObject(json) ? { ...json, type } : json;
};

/**
 * What the keys of new calls go by: the provider's id, as at the door. A digest may come again as another event, so
 * there it is this one of them; the calls that the door made have keys of their own and are known by their rule.
 */
const eventOf = ({ eventId, seq }: Stored): string =>
  /^[0-9a-f]{64}(@\d+)?$/.test(eventId) ? `${eventId.slice(0, 64)}@${seq}` : eventId;

const count = <T extends string>(words: readonly T[]): Partial<Record<T, number>> => {
  const counts: Partial<Record<T, number>> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
};
