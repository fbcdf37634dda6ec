// Stands in for "cloudflare:workers" in a bundle of the simulator.
import { DurableObject as Production } from "cloudflare:workers";
import { simulatedEnv } from "./bindings.ts";
import { type Actor, ahead, currentActor, enter, reach, reachNow } from "./event.ts";
import { platform } from "./rules.ts";

export { env, WorkerEntrypoint } from "cloudflare:workers";

const actors = new WeakMap<object, Actor>();
const simulated = new WeakSet<object>();

/** An object of the product, under the rules of the platform. */
export class DurableObject<Env extends object = object> extends Production<Env> {
  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    const actor: Actor = {
      className: nameOf(new.target),
      abort: (reason) => state.abort(reason),
      subrequests: 0,
      open: 0,
      now: Date.now(),
    };
    actors.set(this, actor);
    Object.assign(this, { ctx: simulatedState(actor, state), env: simulatedEnv(() => actor, env) });
    simulateMethods(new.target.prototype);
  }

  /** A call by another object, with its depth. */
  async simulatedEvent(depth: number, method: string, args: unknown[]): Promise<unknown> {
    const actor = actors.get(this);
    const own = (this as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[method];
    if (!actor || !own) throw new TypeError(`The RPC receiver does not implement the method "${method}".`);
    return enter(actor, depth, () => reach(actor, `run ${method}`, async () => own.apply(this, args)));
  }

  /** Resets this object alone. */
  simulatedDeath(): void {
    actors.get(this)?.abort?.("The simulated platform reset this object.");
  }
}

/** The class of the product: tests and benches extend it. */
const nameOf = (given: { name: string }): string => given.name.replace(/^_|\d+$/g, "");

const WRITES = /^\s*(INSERT|UPDATE|DELETE|REPLACE)/i;

const simulatedSql = (actor: Actor, sql: SqlStorage) => ({
  exec(query: string, ...values: SqlStorageValue[]) {
    if (platform.rules.refuse === actor.className && WRITES.test(query))
      throw new Error("Exceeded allowed rows written in Durable Objects free tier.");
    return sql.exec(query, ...values);
  },
  get databaseSize() {
    return sql.databaseSize;
  },
});

const simulatedState = (actor: Actor, state: DurableObjectState): DurableObjectState => {
  const { storage } = state;
  const points = new Set<PropertyKey>(["sync", "deleteAlarm", "deleteAll"]);
  const wrapped = new Proxy(storage, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === "sql") return simulatedSql(actor, storage.sql);
      if (typeof value !== "function") return value;
      if (name === "transactionSync")
        return (work: () => unknown) => reachNow(actor, name, () => storage.transactionSync(work));
      if (name === "getAlarm")
        return async () => {
          const at = await storage.getAlarm();
          return at === null ? null : at + ahead();
        };
      if (name === "setAlarm")
        return (at: number | Date) => reach(actor, name, () => storage.setAlarm(Number(at) - ahead()));
      if (points.has(name)) return (...args: unknown[]) => reach(actor, String(name), () => value.apply(target, args));
      return value.bind(target);
    },
  });
  return new Proxy(state, {
    get: (target, name) => {
      if (name === "storage") return wrapped;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
};

/** A method that a constructor or another method calls is no event. */
const simulateMethods = (prototype: object): void => {
  if (prototype === DurableObject.prototype || simulated.has(prototype)) return;
  simulated.add(prototype);
  simulateMethods(Object.getPrototypeOf(prototype));
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const { value } = Object.getOwnPropertyDescriptor(prototype, name) ?? {};
    if (name === "constructor" || typeof value !== "function") continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: object, ...args: unknown[]): unknown {
        const actor = actors.get(this);
        if (!actor || currentActor() === actor) return value.apply(this, args);
        const run = () => value.apply(this, args);
        return name === "alarm" ? alarm(actor, run) : enter(actor, 0, run);
      },
    });
  }
};

const alarm = async (actor: Actor, run: () => Promise<void>): Promise<void> => {
  const { rules, counts } = platform;
  platform.alarm += 1;
  const isNth = (nth: number | undefined) => nth !== undefined && platform.alarm % nth === 0;
  if (isNth(rules.alarms?.lost)) {
    counts.alarms.lost += 1;
    return;
  }
  await enter(actor, 0, () => reach(actor, "alarm", run));
  if (!isNth(rules.alarms?.twice)) return;
  counts.alarms.twice += 1;
  await enter(actor, 0, run);
};
