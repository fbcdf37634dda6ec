import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWorkers } from "../../scripts/workers.ts";
import { median } from "../median.ts";
import type { Host } from "./host.ts";
import { load, type Wire } from "./load.ts";
import { atLeast, type Figure, sleep, until } from "./report.ts";
import { SECRETS } from "./start.ts";
import { customerUpdate, several } from "./webhooks.ts";

/**
 * Requests per second of a stranger, of one who sends large bodies, and of one who reads files: Cloudflare serves those from
 * elsewhere, local workerd in the one thread that also delivers.
 */
const RATE = { small: 300, large: 20, file: 100 };
const CONNECTIONS = 16;

type Door = { what: string; port: "bridge" | "email"; wire: Wire; rate: number };

const request = (line: string, headers: Record<string, string> = {}, body = ""): Wire => {
  const all = Object.entries({ Host: "127.0.0.1", "Content-Length": String(Buffer.byteLength(body)), ...headers });
  return Buffer.from(
    `${line} HTTP/1.1\r\n${all.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n${body}`,
  );
};

const JSON_BODY = { "Content-Type": "application/json" };
const BODY = JSON.stringify({ id: "evt_1", type: "customer.updated", padding: "x".repeat(3_000) });
const LARGE = JSON.stringify({ padding: "x".repeat(990_000) });
const BEARER = { Authorization: `Bearer ms_acme_${"a".repeat(32)}_${"0".repeat(24)}` };
const STALE = { "Stripe-Signature": `t=1,v1=${"0".repeat(64)}` };

const door = (port: Door["port"], what: string, wire: Wire, rate = RATE.small): Door => ({ what, port, wire, rate });

/** Every door that a request without a secret reaches. */
const DOORS: readonly Door[] = [
  door("bridge", "GET /health", request("GET /health")),
  door("bridge", "an unknown source", request("POST /hooks/nobody", JSON_BODY, BODY)),
  door("bridge", "a webhook without a signature", request("POST /hooks/stripe", JSON_BODY, BODY)),
  door("bridge", "a webhook with a wrong signature", request("POST /hooks/stripe", { ...JSON_BODY, ...STALE }, BODY)),
  door("bridge", "a webhook of 1 MB with a wrong signature", request("POST /hooks/stripe", STALE, LARGE), RATE.large),
  door("bridge", "a source without a secret", request("POST /hooks/clerk", JSON_BODY, BODY)),
  door("bridge", "GET of a source", request("GET /hooks/stripe")),
  door("bridge", "/admin without a token", request("GET /admin/status")),
  door("bridge", "/admin with a wrong token", request("GET /admin/metrics", BEARER)),
  door("bridge", "/v1 without a key", request("GET /v1/lists")),
  door("bridge", "/v1 with a wrong key", request("POST /v1/events/send", { ...JSON_BODY, ...BEARER }, BODY)),
  door("bridge", "a path that does not exist", request("GET /wp-login.php")),
  door("email", "GET /health of the email Worker", request("GET /health")),
  door("email", "GET /openapi.json", request("GET /openapi.json"), RATE.file),
  door("email", "GET /docs", request("GET /docs"), RATE.file),
  door("email", "/v1 of the email Worker with a forged key", request("GET /v1/lists", BEARER)),
  door("email", "its /v1 without a key, 1 MB", request("POST /v1/events/send", JSON_BODY, LARGE), RATE.large),
  door("email", "its /admin with a wrong token", request("POST /admin/teams", { ...JSON_BODY, ...BEARER }, BODY)),
  door("email", "its OPTIONS, and paths that do not exist", request("OPTIONS /v1/lists")),
];

/** Sends one request again and again at an even rate until it is told to stop. Returns how many were answered. */
const flood = (port: number, { wire, rate }: Door): (() => number) => {
  let answered = 0;
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.on("data", (data) => {
      if (data.includes("HTTP/1.1 ")) answered++;
    });
    socket.on("error", () => {});
    return socket;
  });
  let sent = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    const wanted = Math.floor(((performance.now() - began) / 1_000) * rate);
    for (; sent < wanted; sent++) sockets[sent % CONNECTIONS]?.write(wire);
  }, 5);
  return () => {
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
    return answered;
  };
};

/** Both Workers, the bridge with this many waiting calls. */
const withWaiting = async <T>(
  host: Host,
  waiting: number,
  work: (ports: Record<Door["port"], number>) => Promise<T>,
): Promise<T> => {
  const state = await mkdtemp(join(tmpdir(), "mailspan-strangers-"));
  const workers = await startWorkers({
    ...{ port: 0, emailPort: 0, state },
    bridgeVars: { ...SECRETS, ADMIN_TOKEN: "bench-token", EMAIL_API_URL: host.url, EMAIL_API_KEY: "ms_bench" },
    emailVars: { ADMIN_TOKEN: "bench-token", API_KEY_SECRET: "bench-secret" },
  });
  try {
    const ports = { bridge: Number(new URL(workers.url).port), email: Number(new URL(workers.emailUrl).port) };
    // The fill in parts: all requests at once would need 200 MB.
    for (let n = 0; n < waiting; n += 5_000)
      await load(ports.bridge, await several(Math.min(5_000, waiting - n), (i) => customerUpdate("/hooks", n + i)), 64);
    return await work(ports);
  } finally {
    await workers.stop();
    await rm(state, { recursive: true, force: true });
  }
};

/**
 * Delivery while a stranger sends requests to one door after the other, as a share of delivery in the quiet time just before,
 * in one run. The share is the median of several rounds: anything else on the machine slows single times.
 *
 * @param seconds length of each time
 */
export const strangers = (
  host: Host,
  { waiting, seconds, rounds }: { waiting: number; seconds: number; rounds: number },
): Promise<Figure[]> =>
  withWaiting(host, waiting, async (ports) => {
    const delivered = async () => {
      const from = host.arrivals.length;
      const began = performance.now();
      await sleep(seconds * 1_000);
      return ((host.arrivals.length - from) / (performance.now() - began)) * 1_000;
    };
    await until("delivery runs", () => host.arrivals.length > 20, 60_000);
    const quiet: number[] = [];
    const found = DOORS.map((one) => ({ door: one, shares: [] as number[], answered: [] as number[] }));
    for (let round = 0; round < rounds; round++) {
      for (const { door: one, shares, answered } of found) {
        const before = await delivered();
        const stop = flood(ports[one.port], one);
        const during = await delivered();
        answered.push(stop() / seconds);
        shares.push(during / before);
        quiet.push(before);
        await sleep(500);
      }
    }
    return [
      { what: `calls per second with ${waiting} waiting and no stranger`, value: median(quiet).toFixed(2) },
      ...found.map(({ door: { what }, shares, answered }) =>
        atLeast(`  share with ${median(answered).toFixed(0)} a second of: ${what}`, median(shares), 0.95, 3),
      ),
    ];
  });
