import { Hono } from "hono";
import { type Env, outboxOf } from "../env.ts";
import { refusalOfToken } from "../lib/admin-token/admin-token.ts";
import { createWrongTokens } from "../lib/admin-token/wrong-tokens.ts";
import { actingOf, actorOf } from "../lib/audit/actor.ts";
import { noteActs } from "../lib/audit/note-acts.ts";
import { bridgeContract } from "../lib/contract/admin/bridge.ts";
import { bridgeRoutes } from "../lib/contract/admin/routes/bridge.ts";
import type { Refusal } from "../lib/contract/errors.ts";
import type { Fields } from "../lib/contract/json-body.ts";
import { answer, mount, type Service } from "../lib/contract/mount.ts";
import { operationsOf } from "../lib/contract/operation.ts";
import { timeIn } from "../lib/util/dates.ts";
import { log } from "../lib/util/log.ts";
import { sources as deployed } from "../sources.ts";
import { about } from "./admin/about-bridge.ts";
import { audit } from "./admin/audit.ts";
import { backfill } from "./admin/backfill.ts";
import { deliveries } from "./admin/deliveries.ts";
import { dispatch } from "./admin/dispatch.ts";
import type { Answer, BridgeHandlers, Caller, Sources } from "./admin/handler.ts";
import { alerts, metrics, refusals } from "./admin/metrics.ts";
import { people } from "./admin/people.ts";
import { rules } from "./admin/rules.ts";
import { activity } from "./admin/sources/activity.ts";
import { sources } from "./admin/sources/sources.ts";
import { webhooks } from "./admin/webhooks.ts";
import { operatorGateway } from "./gateway.ts";
import { failureOf } from "./unexpected-error.ts";

type Handler = (caller: Caller, input: Record<string, unknown>) => Answer | Promise<Answer>;

const handlers: { readonly [Group in keyof typeof bridgeContract]: BridgeHandlers<Group> } = {
  about,
  webhooks,
  deliveries,
  dispatch,
  people,
  refusals,
  metrics,
  alerts,
  audit,
  backfill,
  rules,
  sources,
  activity,
};

const table = new Map(
  operationsOf(bridgeContract).map(({ name, operation: { status } }) => {
    const [group = "", own = ""] = name.split(".");
    const handler = (handlers as unknown as Record<string, Record<string, Handler>>)[group]?.[own] as Handler;
    return [name, { status, handler }];
  }),
);

/** Returns why a request is none of the operator. */
export const tokenRefusal = async (request: Request, env: Env): Promise<Refusal | undefined> => {
  const refused = await refusalOfToken(request, env.ADMIN_TOKEN);
  if (refused?.isWrong) await noteWrong(request, env);
  return refused?.refusal;
};

const wrongTokens = createWrongTokens();

const noteWrong = async (request: Request, env: Env): Promise<void> => {
  const report = wrongTokens.add(request, Date.now());
  if (report.length === 0) return;
  try {
    await outboxOf(env).wrongTokens(report);
  } catch (error) {
    log("request_failed", { error: error instanceof Error ? error.message : String(error) });
  }
};

const service = (all: Sources): Service<Caller, Env> => ({
  async authorize(request, env) {
    const refusal = misplaced(request);
    return refusal ? { refusal } : { auth: { env, actor: actorOf(request), acting: actingOf(request), sources: all } };
  },
  async run(caller, request) {
    if ("refusal" in request) return request;
    const known = table.get(request.operation);
    if (!known) return { refusal: { code: "not_found", message: `There is no operation ${request.operation}.` } };
    const input = timed(request.input, Date.now());
    if ("refusal" in input) return { refusal: input.refusal };
    const answered = await known.handler(caller, input.value);
    return "refusal" in answered ? answered : { status: known.status, ...answered };
  },
});

/** Replaces the texts of `since` and `until` by Unix ms. */
const timed = (input: Record<string, unknown>, now: number): Fields => {
  const { since, until } = Object.fromEntries(
    ["since", "until"].map((name) => [name, typeof input[name] === "string" ? timeIn(input[name], now) : undefined]),
  );
  if (since !== undefined && until !== undefined && since >= until)
    return { refusal: { code: "invalid_request", path: "until", message: "until: must be later than since" } };
  return {
    value: { ...input, ...(since === undefined ? {} : { since }), ...(until === undefined ? {} : { until }) },
  };
};

/** A `dryRun` in the query of a POST would be ignored. */
const misplaced = ({ method, url }: Request): Refusal | undefined => {
  const [field] = method === "POST" ? new URL(url).searchParams.keys() : [];
  if (field === undefined) return undefined;
  const path = field.slice(0, 50);
  return { code: "invalid_request", path, message: `${path}: send the fields of a POST in its body, not in the URL` };
};

/** The operator API. Every route requires `Authorization: Bearer` with ADMIN_TOKEN. */
export const createAdmin = (all: Sources): Hono<{ Bindings: Env }> => {
  const app = new Hono<{ Bindings: Env }>();
  app.use("*", async (c, next) => {
    const refusal = await tokenRefusal(c.req.raw, c.env);
    return refusal ? answer({ refusal }) : next();
  });
  app.use(
    "*",
    noteActs<{ Bindings: Env }>(
      { half: "bridge", routes: bridgeRoutes },
      (c, entry, request) => outboxOf(c.env).noteAct(entry, request),
      () => Date.now(),
    ),
  );
  app.route("/", operatorGateway);
  mount(app, "", bridgeContract, service(all));
  app.onError((error) => answer({ refusal: failureOf(error, true) }));
  return app;
};

export const admin = createAdmin(deployed);
