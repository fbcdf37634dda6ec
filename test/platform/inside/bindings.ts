import { type Actor, nextDepth, subrequest } from "./event.ts";

export const DEPTH_HEADER = "x-simulated-depth";

type Callable = Record<PropertyKey, (...args: unknown[]) => unknown>;
/** The object, or the Worker of the current event. */
type ActorOf = () => Actor | undefined;
type Simulated = { simulatedEvent(depth: number, method: string, args: unknown[]): Promise<unknown> };

/** The same bindings; what goes through them is counted for an actor. */
export const simulatedEnv = <Env extends object>(actor: ActorOf, env: Env): Env =>
  new Proxy(env, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      return typeof value === "object" && value !== null ? binding(actor, String(name), value) : value;
    },
  });

const binding = (actor: ActorOf, name: string, value: object): object => {
  if ("getByName" in value) return namespace(actor, name, value as unknown as Callable);
  if ("fetch" in value) return service(actor, name, value as unknown as Fetcher);
  if ("head" in value || "send" in value) return counted(actor, name, value as unknown as Callable);
  return value;
};

/** A bucket or `send_email`. */
const counted = (actor: ActorOf, name: string, target: Callable): object =>
  new Proxy(target, {
    get: (_, method) => {
      const value = target[method];
      return typeof value === "function"
        ? (...args: unknown[]) =>
            subrequest(actor(), `${name}.${String(method)}`, async () => value.apply(target, args))
        : value;
    },
  });

const service = (actor: ActorOf, name: string, target: Fetcher): object =>
  new Proxy(target, {
    get: (_, method) => {
      if (method !== "fetch") return Reflect.get(target, method);
      return (input: RequestInfo | URL, init?: RequestInit) =>
        subrequest(actor(), `fetch ${name}`, () => {
          const request = new Request(input as Request, init);
          request.headers.set(DEPTH_HEADER, String(nextDepth()));
          return target.fetch(request);
        });
    },
  });

const namespace = (actor: ActorOf, name: string, target: Callable): object =>
  new Proxy(target, {
    get: (_, method) => {
      const value = target[method];
      if (typeof value !== "function") return value;
      const isStub = method === "get" || method === "getByName";
      return (...args: unknown[]) => {
        const result = value.apply(target, args);
        return isStub ? stub(actor, name, result as Callable) : result;
      };
    },
  });

const stub = (actor: ActorOf, name: string, target: Callable): object =>
  new Proxy(target, {
    get: (_, method) => {
      if (typeof method === "symbol" || method === "id" || method === "name" || method === "then")
        return Reflect.get(target, method);
      if (method === "fetch") return Reflect.get(service(actor, name, target as unknown as Fetcher), "fetch");
      return (...args: unknown[]) =>
        subrequest(actor(), `call ${name}.${method}`, () =>
          // A stub has no `call` and `apply`: each property of its methods is another remote one.
          (target as unknown as Simulated).simulatedEvent(nextDepth(), method, args),
        );
    },
  });
