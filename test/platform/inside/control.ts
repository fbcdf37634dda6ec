// The entry of each simulated Worker: its own handler, and the addresses by which a test sets rules.
import { DEPTH_HEADER, simulatedEnv } from "./bindings.ts";
import { type Actor, currentActor, enter } from "./event.ts";
import { platform, type Rules, setRules } from "./rules.ts";

type Handler<Env> = {
  fetch(request: Request, env: Env, context: ExecutionContext): Response | Promise<Response>;
  scheduled?(event: object, env: Env, context: ExecutionContext): Promise<void> | void;
  [name: string]: unknown;
};
type Stubs = Record<string, { getByName(name: string): { simulatedDeath(): Promise<void> } }>;

/** `GET /__platform`: counts. `POST /__platform` sets rules. `POST /__platform/die?binding=&name=` resets an object. `/__platform/cron`: an event of the cron. */
export const control = <Env extends object>(name: string, handler: Handler<Env>): Handler<Env> => {
  // A Worker may keep what it made of its environment, so all events get the same one.
  let simulated: { of: Env; env: Env } | undefined;
  return {
    ...handler,
    fetch: async (request, env, context) => {
      const url = new URL(request.url);
      if (url.pathname === "/__platform/die") return die(env as Stubs, url.searchParams);
      if (url.pathname === "/__platform") {
        if (request.method === "POST") setRules((await request.json()) as Rules);
        return Response.json(platform.counts);
      }
      if (simulated?.of !== env) simulated = { of: env, env: simulatedEnv(currentActor, env) };
      const actor: Actor = { className: name, subrequests: 0, open: 0, now: Date.now() };
      const depth = Number(request.headers.get(DEPTH_HEADER) ?? 0);
      const { env: own } = simulated;
      if (url.pathname === "/__platform/cron") {
        await enter(actor, 0, async () => handler.scheduled?.({}, own, context));
        return new Response(null, { status: 204 });
      }
      return enter(actor, depth, async () => handler.fetch(request, own, context));
    },
  };
};

const die = async (env: Stubs, query: URLSearchParams): Promise<Response> => {
  const object = env[query.get("binding") ?? ""]?.getByName(query.get("name") ?? "");
  try {
    await object?.simulatedDeath();
  } catch {
    // The call to an object that dies is always rejected.
  }
  return new Response(null, { status: 204 });
};
