import type { Context, Env, MiddlewareHandler } from "hono";
import { finderOf, type Match, type Route } from "../contract/match.ts";
import { actingOf } from "./actor.ts";
import { changesNothing } from "./dry-run.ts";
import type { Entry } from "./entries.ts";
import { noteSurely } from "./note-surely.ts";

const READS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
/** Answers to requests that no route takes. */
const NOT_TAKEN: ReadonlySet<number> = new Set([404, 405]);

/**
 * Notes each act of a request under `/admin`, with its outcome. It must come after the check of the token. An act of
 * no known route is "<half>.unknown".
 *
 * @param note writes an entry; a repetition has the same `request`
 * @param clock returns Unix ms
 */
export const noteActs = <E extends Env>(
  { half, routes }: { half: "bridge" | "email"; routes: readonly Route[] },
  note: (c: Context<E>, entry: Entry, request: string) => Promise<void>,
  clock: () => number,
): MiddlewareHandler<E> => {
  const find = finderOf(routes);
  return async (c, next) => {
    const { raw } = c.req;
    if (READS.has(raw.method)) return next();
    const route = find(raw.method, new URL(raw.url).pathname.replace(/^\/admin(?=\/)/, ""));
    if (route && (await changesNothing(route.operation, raw))) return next();
    const acted = async () => {
      await next();
      const { status } = c.res;
      if (!route && NOT_TAKEN.has(status)) return;
      const act = { operation: route?.name ?? `${half}.unknown`, ids: idsOf(route), status };
      await noteSurely({ at: clock(), ...actingOf(raw), ...act }, (one, request) => note(c, one, request));
    };
    const done = acted();
    keepAlive(c, done);
    await done;
  };
};

/** Disconnects must not lose the entry. */
const keepAlive = (c: Pick<Context, "executionCtx">, done: Promise<void>): void => {
  try {
    c.executionCtx.waitUntil(done);
  } catch {
    // Without a Worker around it there is no such context.
  }
};

/** Characters. */
const MOST = 200;

/** Returns the ids in the path, without addresses of people. */
export const idsOf = (route: Pick<Match, "ids"> | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(route?.ids ?? {}).map(([name, id]) => [name, id.includes("@") ? "(address)" : id.slice(0, MOST)]),
  );
