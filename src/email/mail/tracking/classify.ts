import type { Visitor } from "../../types/tracking.ts";
import { PROXIES, SCANNERS } from "./agents.ts";

/**
 * What a request of a picture or a link shows of its visitor. `isHttps`: browsers send some headers over HTTPS only. `headers`:
 * reads a header by its name.
 */
type Request = {
  what: "open" | "click";
  method: string;
  isHttps: boolean;
  headers(name: string): string | undefined;
};

/** Headers of browsers that load a page before anyone asks for it. */
const PREFETCH: readonly (readonly [name: string, value: RegExp])[] = [
  ["sec-purpose", /prefetch|prerender/i],
  ["purpose", /prefetch|preview/i],
  ["x-purpose", /prefetch|preview/i],
  ["x-moz", /prefetch/i],
];

/**
 * A program that takes the name of Chrome or Edge, as the link scanner of Microsoft Defender does: the browsers send
 * Sec-Fetch-Mode with each request over HTTPS since version 80 (https://www.w3.org/TR/fetch-metadata/). "wv" is the browser inside an
 * app, which may leave it out.
 */
const isNoChromium = (agent: string, isHttps: boolean, mode: string | undefined): boolean => {
  const [, version] = /Chrome\/(\d{1,4})\./.exec(agent) ?? [];
  return isHttps && mode === undefined && Number(version) >= 80 && !agent.includes("; wv)");
};

/** A proxy of pictures opens no links: a click by one is of a scanner. A person always has a User-Agent, and uses GET. */
export const visitorOf = ({ what, method, isHttps, headers }: Request): Visitor => {
  const agent = headers("user-agent")?.trim().slice(0, 500) ?? "";
  if (method !== "GET" || agent === "") return "scanner";
  if (PREFETCH.some(([name, value]) => value.test(headers(name) ?? ""))) return "scanner";
  const proxy = PROXIES.find((one) => one.agent.test(agent));
  if (proxy) return what === "open" ? proxy.visitor : "scanner";
  if (isNoChromium(agent, isHttps, headers("sec-fetch-mode"))) return "scanner";
  return SCANNERS.some((one) => one.test(agent)) ? "scanner" : "human";
};
