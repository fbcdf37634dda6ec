import { AsyncLocalStorage } from "node:async_hooks";
import { add, platform } from "./rules.ts";

/** An object or a Worker, which spends the subrequests of its current event. */
export type Actor = {
  className: string;
  /** Undefined for a Worker, which cannot be reset. */
  abort?: (reason: string) => void;
  subrequests: number;
  open: number;
  idle?: ReturnType<typeof setTimeout> | undefined;
  /** Unix ms of the last I/O. */
  now: number;
};

type Event = { actor: Actor; depth: number };

const current = new AsyncLocalStorage<Event>();
const machineNow = Date.now.bind(Date);
/** Ms by which the clock is ahead of that of the machine, by which alarms run. */
export const ahead = (): number => platform.rules.ahead ?? 0;
const realNow = (): number => machineNow() + ahead();
const realTimeout = globalThis.setTimeout.bind(globalThis);
const realFetch = globalThis.fetch.bind(globalThis);

export const currentActor = (): Actor | undefined => current.getStore()?.actor;
const currentDepth = (): number => current.getStore()?.depth ?? 0;
/** Moves the frozen clock: I/O has happened. */
export const tick = (actor: Actor | undefined): void => {
  if (actor) actor.now = realNow();
};

/** Runs an incoming event. It tops up the budget, as workerd does when it delivers an event to an object. */
export const enter = <T>(actor: Actor, depth: number, run: () => T): T => {
  actor.subrequests = 0;
  actor.open += 1;
  tick(actor);
  clearTimeout(actor.idle);
  platform.counts.deepest = Math.max(platform.counts.deepest, depth);
  const leave = () => {
    actor.open -= 1;
    if (actor.open === 0) evictLater(actor);
  };
  let result: T;
  try {
    result = current.run({ actor, depth }, run);
  } catch (error) {
    leave();
    throw error;
  }
  if (!(result instanceof Promise)) {
    leave();
    return result;
  }
  return result.finally(leave) as T;
};

const evictLater = (actor: Actor): void => {
  const { evictAfter } = platform.rules;
  if (evictAfter !== undefined && actor.abort) {
    actor.idle = realTimeout(
      () => actor.open === 0 && actor.abort?.("The simulated platform evicted this object."),
      evictAfter,
    );
  }
};

/** Counts a pass of a point, and resets the object there if a rule says so. */
const pass = (actor: Actor, point: string, when: "before" | "after"): void => {
  const name = `${actor.className} ${point}`;
  const nth = when === "before" ? add(platform.counts.points, name) : (platform.counts.points[name] ?? 0);
  const { aborts = [] } = platform.rules;
  const at = aborts.findIndex((abort) => abort.point === name && abort.when === when && nth >= abort.nth);
  if (at === -1 || !actor.abort) return;
  aborts.splice(at, 1);
  platform.counts.aborted.push(`${when} ${name}`);
  actor.abort(`The simulated platform reset this object ${when} "${name}".`);
};

/** A point at which the object may be reset, which is no subrequest. */
export const reach = async <T>(actor: Actor, point: string, work: () => Promise<T>): Promise<T> => {
  pass(actor, point, "before");
  try {
    return await work();
  } finally {
    tick(actor);
    pass(actor, point, "after");
  }
};

/** The same for what is done at once. */
export const reachNow = <T>(actor: Actor, point: string, work: () => T): T => {
  pass(actor, point, "before");
  const result = work();
  pass(actor, point, "after");
  return result;
};

/** One subrequest of the current event. Above the budget it throws the text of the platform. */
export const spend = (actor: Actor, point: string): void => {
  actor.subrequests += 1;
  const { counts, rules } = platform;
  if (actor.subrequests > rules.subrequests) {
    add(counts.refused, `${actor.className} ${point}`);
    throw new Error("Too many subrequests by single Worker invocation.");
  }
  counts.most[actor.className] = Math.max(counts.most[actor.className] ?? 0, actor.subrequests);
};

export const subrequest = async <T>(actor: Actor | undefined, point: string, work: () => Promise<T>): Promise<T> => {
  if (!actor) return work();
  spend(actor, point);
  return reach(actor, point, work);
};

/** The depth of a call by the current event. Too deep a call throws the text of the platform. */
export const nextDepth = (): number => {
  const depth = currentDepth() + 1;
  if (depth > platform.rules.depth)
    throw new Error("Subrequest depth limit exceeded. This request recursed through Workers too many times.");
  return depth;
};

const sesAnswer = async (request: Request): Promise<Response> => {
  const { Destination } = (await request.json()) as { Destination: { ToAddresses: string[] } };
  platform.counts.ses.push(Destination.ToAddresses[0] ?? "");
  return Response.json({ MessageId: `ses-${platform.counts.ses.length}` });
};

globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit): Promise<Response> =>
  subrequest(currentActor(), "fetch", async () => {
    const request = new Request(input as Request, init);
    const isSes = platform.rules.ses && new URL(request.url).hostname.endsWith(".amazonaws.com");
    return isSes ? sesAnswer(request) : realFetch(request);
  });

globalThis.setTimeout = ((work: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) =>
  realTimeout(() => {
    tick(currentActor());
    work(...args);
  }, ms)) as typeof setTimeout;

Date.now = () => {
  const actor = currentActor();
  return platform.rules.frozenClock && actor ? actor.now : realNow();
};
