import { bridgeContract } from "../../lib/contract/admin/bridge.ts";
import { adminContract } from "../../lib/contract/admin/email.ts";
import { type Contract, type Operation, operationsOf } from "../../lib/contract/operation.ts";
import { v1 } from "../../lib/contract/v1.ts";
import type { Half } from "./env.ts";

/** An operation that the dashboard forwards. `name`: with its half, such as "email.keys.create". */
type Route = { name: string; method: Operation["method"]; segments: readonly string[] };

/** An operation that a request names, the path of it at the half, under `/admin`, and the parameters in that path. */
export type Found = { name: string; path: string; ids: Record<string, string> };

const routesOf = (half: Half, contract: Contract, prefix = ""): Route[] =>
  operationsOf(contract).map(({ name, operation: { method, path } }) => ({
    name: `${half}.${prefix === "" ? "" : "v1."}${name}`,
    method,
    segments: `${prefix}${path}`.split("/").slice(1),
  }));

/** Files, which no contract has: their bodies are of any size. */
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

/** All that is ever forwarded. Routes without parameters come first: "/calls/retry" is no call. */
const tables: Readonly<Record<Half, readonly Route[]>> = {
  bridge: [...routesOf("bridge", bridgeContract), ...routesOf("bridge", v1, "/v1")],
  email: [...routesOf("email", adminContract), ...routesOf("email", v1, "/teams/{team}/v1"), ...FILES],
};

/** Names and methods of all that is forwarded. */
export const forwarded: readonly Pick<Route, "name" | "method">[] = [...tables.bridge, ...tables.email];

const parametersOf = ({ segments }: Route): number => segments.filter((segment) => segment.startsWith("{")).length;
const ordered = {
  bridge: tables.bridge.toSorted((a, b) => parametersOf(a) - parametersOf(b)),
  email: tables.email.toSorted((a, b) => parametersOf(a) - parametersOf(b)),
};

/** The decoded segments of a path; undefined where one is empty, is `.` or `..`, or cannot be decoded. */
const segmentsOf = (path: string): string[] | undefined => {
  try {
    const segments = path.split("/").slice(1).map(decodeURIComponent);
    return segments.every((segment) => !/^\.{0,2}$/.test(segment)) ? segments : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Finds the operation that a path of a half names. Its address is written anew from the operation: a path is never forwarded, because
 * an encoded slash in it would lead elsewhere.
 */
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
