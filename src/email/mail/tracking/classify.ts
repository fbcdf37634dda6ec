import type { Visitor } from "../../types/tracking.ts";
import { PROXIES, SCANNERS } from "./agents.ts";

/** `isHttps`: browsers send some headers over HTTPS only. */
type Request = {
  what: "open" | "click";
  method: string;
  isHttps: boolean;
  headers(name: string): string | undefined;
};

const PREFETCH: readonly (readonly [name: string, value: RegExp])[] = [
  ["sec-purpose", /prefetch|prerender/i],
  ["purpose", /prefetch|preview/i],
  ["x-purpose", /prefetch|preview/i],
  ["x-moz", /prefetch/i],
];

/**
 * Detects programs that pretend to be Chrome or Edge: the browsers send Sec-Fetch-Mode over HTTPS since version 80
 * (https://www.w3.org/TR/fetch-metadata/). "wv" is an in-app browser, which may omit it.
 */
const isNoChromium = (agent: string, isHttps: boolean, mode: string | undefined): boolean => {
  const [, version] = /Chrome\/(\d{1,4})\./.exec(agent) ?? [];
  return isHttps && mode === undefined && Number(version) >= 80 && !agent.includes("; wv)");
};

/** A click by an image proxy is a scanner. A person has a User-Agent and uses GET. */
export const visitorOf = ({ what, method, isHttps, headers }: Request): Visitor => {
  const agent = headers("user-agent")?.trim().slice(0, 500) ?? "";
  if (method !== "GET" || agent === "") return "scanner";
  if (PREFETCH.some(([name, value]) => value.test(headers(name) ?? ""))) return "scanner";
  const proxy = PROXIES.find((one) => one.agent.test(agent));
  if (proxy) return what === "open" ? proxy.visitor : "scanner";
  if (isNoChromium(agent, isHttps, headers("sec-fetch-mode"))) return "scanner";
  return SCANNERS.some((regExp) => regExp.test(agent)) ? "scanner" : "human";
};
