import { type Contract, type Operation, operationsOf } from "./operation.ts";

/** An operation at its place: `path` with a prefix, `name` with a group. */
export type Route = { name: string; operation: Operation; path: string };

/** Returns the routes of a contract, in its order. A prefix may have parameters: `/teams/{team}/v1`. */
export const routesOf = (contract: Contract, prefix: string, group = ""): Route[] =>
  operationsOf(contract).map(({ name, operation }) => ({
    name: group + name,
    operation,
    path: prefix + operation.path,
  }));

/** The operations of routes, by their names. */
export const operationsByName = (routes: readonly Route[]): ReadonlyMap<string, Operation> =>
  new Map(routes.map(({ name, operation }) => [name, operation]));

/** Values of parameters, as they stand in the path. */
export type Match = Route & { ids: Record<string, string> };

/**
 * Returns a matcher of method and path to a route. A path without parameters wins.
 *
 * @example matcherOf(routesOf(v1, "/v1"))("POST", "/v1/events/send?x=1")?.name // "events.send"
 */
export const matcherOf = (routes: readonly Route[]) => {
  const all = routes.map((route) => ({
    route,
    pattern: new RegExp(`^${route.path.replaceAll(".", "\\.").replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}/?$`),
    parameters: route.path.split("{").length,
  }));
  all.sort((a, b) => a.parameters - b.parameters);
  return (method: string, path: string): Match | undefined => {
    const [pathname = ""] = path.split("?");
    for (const { route, pattern } of all) {
      const found = route.operation.method === method ? pattern.exec(pathname) : null;
      if (found) return { ...route, ids: { ...found.groups } };
    }
    return undefined;
  };
};

/** Returns undefined for empty, `.`, `..` or undecodable segments. */
const segmentsOf = (path: string): string[] | undefined => {
  try {
    const segments = path.split("/").slice(1).map(decodeURIComponent);
    return segments.every((segment) => !/^\.{0,2}$/.test(segment)) ? segments : undefined;
  } catch {
    return undefined;
  }
};

/** Like `matcherOf`, with a rebuilt path, because encoded slashes lead elsewhere, and decoded ids. */
export const finderOf = (routes: readonly Route[]) => {
  const match = matcherOf(routes);
  return (method: string, given: string): Match | undefined => {
    const segments = segmentsOf(given);
    if (!segments) return undefined;
    const path = `/${segments.map(encodeURIComponent).join("/")}`;
    const found = match(method, path);
    if (!found) return undefined;
    const ids = Object.fromEntries(Object.entries(found.ids).map(([name, value]) => [name, decodeURIComponent(value)]));
    return { ...found, path, ids };
  };
};
