import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Records by type and name: `{ "TXT a.example.com": ["v=spf1 -all"] }`. A TXT value is one string or several. */
export type Zone = Record<string, readonly (string | readonly string[])[]>;

/** The fake resolver's answer to a question in place of its zone. */
export type Behavior =
  | { code: number }
  | { status: number }
  | { body: string }
  | { truncated: true }
  | { stalls: true }
  | { stopsAtCname: true };

const TYPES: Record<string, number> = { A: 1, CNAME: 5, MX: 15, TXT: 16, AAAA: 28 };
const LONGEST = 255;

/** A text as resolvers show it: quoted strings of at most 255 octets. */
const shown = (value: string | readonly string[]): string =>
  (typeof value === "string" ? (value.match(/[\s\S]{1,255}/g) ?? [""]) : value)
    .map((one) => {
      if (one.length > LONGEST) throw new Error("a string of a TXT record has at most 255 octets");
      return `"${one.replace(/["\\]/g, "\\$&")}"`;
    })
    .join(" ");

/** A DNS over HTTPS resolver (JSON API) on a free port, with a zone that tests may change. */
export const startResolver = async () => {
  let zone: Zone = {};
  let behaviors: Record<string, Behavior> = {};
  const asked: string[] = [];
  const stalled = new Set<ServerResponse>();

  const answerOf = (type: string, host: string, follows: boolean) => {
    const records: { name: string; type: number; TTL: number; data: string }[] = [];
    let name = host;
    for (let hop = 0; hop < 20; hop++) {
      const target = zone[`CNAME ${name}`]?.[0];
      if (typeof target !== "string") break;
      records.push({ name: `${name}.`, type: 5, TTL: 300, data: `${target}.` });
      name = target;
      if (!follows) return { Status: 0, TC: false, Answer: records };
    }
    for (const value of zone[`${type} ${name}`] ?? []) {
      const data = type === "TXT" ? shown(value) : type === "MX" ? `${value}.` : String(value);
      records.push({ name, type: TYPES[type] ?? 0, TTL: 300, data });
    }
    const exists = Object.keys(zone).some((key) => key.endsWith(` ${name}`));
    return { Status: exists ? 0 : 3, TC: false, ...(records.length > 0 ? { Answer: records } : {}) };
  };

  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    const [type = "", host = ""] = [searchParams.get("type") ?? "", searchParams.get("name") ?? ""];
    asked.push(`${type} ${host}`);
    const behavior = behaviors[`${type} ${host}`] ?? behaviors["*"];
    if (behavior && "stalls" in behavior) {
      stalled.add(response);
      return;
    }
    const own = answerOf(type, host, !(behavior && "stopsAtCname" in behavior));
    const body = () => {
      if (behavior && "body" in behavior) return behavior.body;
      if (behavior && "code" in behavior) return JSON.stringify({ Status: behavior.code });
      return JSON.stringify(behavior && "truncated" in behavior ? { ...own, TC: true } : own);
    };
    const status = behavior && "status" in behavior ? behavior.status : 200;
    const isUnderstood = request.headers.accept === "application/dns-json";
    response.writeHead(isUnderstood ? status : 415, { "Content-Type": "application/dns-json" });
    response.end(body());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/dns-query`,
    asked,
    serve(next: Zone, how: Record<string, Behavior> = {}) {
      zone = next;
      behaviors = how;
    },
    stop: async () => {
      for (const response of stalled) response.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
