import { bridgeContract } from "../../lib/contract/admin/bridge.ts";
import { adminContract } from "../../lib/contract/admin/email.ts";
import { type Contract, type Operation, operationsOf } from "../../lib/contract/operation.ts";
import { v1 } from "../../lib/contract/v1.ts";
import type { Half } from "./env.ts";

type Route = { name: string; method: Operation["method"]; segments: readonly string[] };

/** `path` is under `/admin`. */
export type Found = { name: string; path: string; ids: Record<string, string> };

const routesOf = (half: Half, contract: Contract, prefix = ""): Route[] =>
  operationsOf(contract).map(({ name, operation: { method, path } }) => ({
    name: `${half}.${prefix === "" ? "" : "v1."}${name}`,
    method,
    segments: `${prefix}${path}`.split("/").slice(1),
  }));

/** Uploads have no contract and any size. */
const FILES: readonly Route[] = [
  { name: "email.suppressions.file", method: "GET", segments: ["teams", "{team}", "suppressions.csv"] },
  {
    name: "email.imports.outcomeFile",
    method: "GET",
    segments: ["teams", "{team}", "imports", "{importId}", "outcome.csv"],
  },
  {
    name: "email.campaigns.recipientsFile",
    method: "GET",
    segments: ["teams", "{team}", "campaigns", "{campaignId}", "recipients.csv"],
  },
  ...(["GET", "PUT"] as const).map((method) => ({
    name: method === "GET" ? "email.uploads.file" : "email.uploads.putFile",
    method,
    segments: ["teams", "{team}", "uploads", "{uploadId}", "file"],
  })),
];

/** Static routes first: "/calls/retry" is no id. */
const tables: Readonly<Record<Half, readonly Route[]>> = {
  bridge: [...routesOf("bridge", bridgeContract), ...routesOf("bridge", v1, "/v1")],
  email: [...routesOf("email", adminContract), ...routesOf("email", v1, "/teams/{team}/v1"), ...FILES],
};

export const forwarded: readonly Pick<Route, "name" | "method">[] = [...tables.bridge, ...tables.email];

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
    if (route.method !== method || route.segments.length !== given.length) continue;
    const ids: Record<string, string> = {};
    const fits = route.segments.every((segment, index) => {
      const value = given[index] ?? "";
      if (!segment.startsWith("{")) return segment === value;
      ids[segment.slice(1, -1)] = value;
      return true;
    });
    if (fits) return { name: route.name, path: `/${given.map(encodeURIComponent).join("/")}`, ids };
  }
  return undefined;
};
