import type { Visitor } from "../types/tracking.ts";
import { PROXIES, SCANNERS } from "./agents.ts";

/** What a request of a picture or a link shows of its visitor. `headers`: reads a header by its name. */
type Request = { what: "open" | "click"; method: string; headers(name: string): string | undefined };

/** Headers of browsers that load a page before anyone asks for it. */
const PREFETCH: readonly (readonly [name: string, value: RegExp])[] = [
  ["sec-purpose", /prefetch|prerender/i],
  ["purpose", /prefetch|preview/i],
  ["x-purpose", /prefetch|preview/i],
  ["x-moz", /prefetch/i],
];

/** A proxy of pictures opens no links: a click by one is of a scanner. A person always has a User-Agent, and uses GET. */
export const visitorOf = ({ what, method, headers }: Request): Visitor => {
  const agent = headers("user-agent")?.trim().slice(0, 500) ?? "";
  if (method !== "GET" || agent === "") return "scanner";
  if (PREFETCH.some(([name, value]) => value.test(headers(name) ?? ""))) return "scanner";
  const proxy = PROXIES.find((one) => one.agent.test(agent));
  if (proxy) return what === "open" ? proxy.visitor : "scanner";
  return SCANNERS.some((one) => one.test(agent)) ? "scanner" : "human";
};
