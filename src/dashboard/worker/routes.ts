import { bridgeContract } from "../../lib/contract/admin/bridge.ts";
import { dashboardContract } from "../../lib/contract/admin/dashboard.ts";
import { fileContract } from "../../lib/contract/admin/email/files.ts";
import { adminContract } from "../../lib/contract/admin/email.ts";
import { type Match, matcherOf, type Route, routesOf } from "../../lib/contract/match.ts";
import type { Operation } from "../../lib/contract/operation.ts";
import { v1 } from "../../lib/contract/v1.ts";
import type { Half } from "./env.ts";

const tables: Readonly<Record<Half, readonly Route[]>> = {
  bridge: [...routesOf(bridgeContract, "", "bridge."), ...routesOf(v1, "/v1", "bridge.v1.")],
  email: [
    ...routesOf(adminContract, "", "email."),
    ...routesOf(v1, "/teams/{team}/v1", "email.v1."),
    ...routesOf(fileContract, "", "email."),
  ],
};

/** All operations of the dashboard and both halves, by names such as "email.keys.create". */
export const operations: ReadonlyMap<string, Operation> = new Map(
  [...tables.bridge, ...tables.email, ...routesOf(dashboardContract, "", "dashboard.")].map(({ name, operation }) => [
    name,
    operation,
  ]),
);

const matchers = { bridge: matcherOf(tables.bridge), email: matcherOf(tables.email) };

/** Returns undefined for empty, `.`, `..` or undecodable segments. */
const segmentsOf = (path: string): string[] | undefined => {
  try {
    const segments = path.split("/").slice(1).map(decodeURIComponent);
    return segments.every((segment) => !/^\.{0,2}$/.test(segment)) ? segments : undefined;
  } catch {
    return undefined;
  }
};

/** Finds an operation and rebuilds its path, because encoded slashes lead elsewhere. */
export const findRoute = (half: Half, method: string, given: string): Match | undefined => {
  const segments = segmentsOf(given);
  if (!segments) return undefined;
  const path = `/${segments.map(encodeURIComponent).join("/")}`;
  const found = matchers[half](method, path);
  if (!found) return undefined;
  const ids = Object.fromEntries(Object.entries(found.ids).map(([name, value]) => [name, decodeURIComponent(value)]));
  return { ...found, path, ids };
};
