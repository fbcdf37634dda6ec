import { bridgeContract } from "../../lib/contract/admin/bridge.ts";
import { dashboardContract } from "../../lib/contract/admin/dashboard.ts";
import { fileContract } from "../../lib/contract/admin/email/files.ts";
import { adminContract } from "../../lib/contract/admin/email.ts";
import { type Contract, type Operation, operationsOf } from "../../lib/contract/operation.ts";
import { v1 } from "../../lib/contract/v1.ts";
import type { Half } from "./env.ts";

type Route = { name: string; operation: Operation; segments: readonly string[] };

/** `path` is under `/admin`. */
export type Found = { name: string; operation: Operation; path: string; ids: Record<string, string> };

const routesOf = (group: string, contract: Contract, prefix = ""): Route[] =>
  operationsOf(contract).map(({ name, operation }) => ({
    name: `${group}.${name}`,
    operation,
    segments: `${prefix}${operation.path}`.split("/").slice(1),
  }));

/** Static routes first: "/deliveries/retry" is no id. */
const tables: Readonly<Record<Half, readonly Route[]>> = {
  bridge: [...routesOf("bridge", bridgeContract), ...routesOf("bridge.v1", v1, "/v1")],
  email: [
    ...routesOf("email", adminContract),
    ...routesOf("email.v1", v1, "/teams/{team}/v1"),
    ...routesOf("email", fileContract),
  ],
};

/** All operations of the dashboard and both halves, by names such as "email.keys.create". */
export const operations: ReadonlyMap<string, Operation> = new Map(
  [...tables.bridge, ...tables.email, ...routesOf("dashboard", dashboardContract)].map(({ name, operation }) => [
    name,
    operation,
  ]),
);

const parametersOf = ({ segments }: Route): number => segments.filter((segment) => segment.startsWith("{")).length;
const ordered = {
  bridge: tables.bridge.toSorted((a, b) => parametersOf(a) - parametersOf(b)),
  email: tables.email.toSorted((a, b) => parametersOf(a) - parametersOf(b)),
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

/** Finds an operation and rebuilds its path, because encoded slashes lead elsewhere. */
export const findRoute = (half: Half, method: string, path: string): Found | undefined => {
  const given = segmentsOf(path);
  if (!given) return undefined;
  for (const route of ordered[half]) {
    if (route.operation.method !== method || route.segments.length !== given.length) continue;
    const ids: Record<string, string> = {};
    const fits = route.segments.every((segment, index) => {
      const value = given[index] ?? "";
      if (!segment.startsWith("{")) return segment === value;
      ids[segment.slice(1, -1)] = value;
      return true;
    });
    if (fits)
      return { name: route.name, operation: route.operation, path: `/${given.map(encodeURIComponent).join("/")}`, ids };
  }
  return undefined;
};
