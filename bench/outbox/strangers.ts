import { mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWorkers } from "../../scripts/workers.ts";
import { median } from "../median.ts";
import { load, type Wire } from "./load.ts";
import { atLeast, type Figure, sleep, until } from "./report.ts";
import type { Service } from "./service.ts";
import { SECRETS } from "./start.ts";
import { customerUpdate, several } from "./webhooks.ts";

/** Requests per second. Cloudflare serves files elsewhere; local workerd uses the delivery thread. */
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
const STANDARD = { "webhook-id": "msg_1", "webhook-timestamp": "1", "webhook-signature": `v1,${"A".repeat(43)}=` };
const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
/** An unknown key id with an unreachable key server. */
const TOKEN = `${part({ alg: "RS256", kid: "forged" })}.${part({ type: "user.created" })}.${"A".repeat(342)}`;
const KINDE_DOMAIN = "127.0.0.1:9";

const door = (port: Door["port"], what: string, wire: Wire, rate = RATE.small): Door => ({ what, port, wire, rate });

const DOORS: readonly Door[] = [
  door("bridge", "GET /health", request("GET /health")),
  door("bridge", "an unknown source", request("POST /hooks/nobody", JSON_BODY, BODY)),
  door("bridge", "a webhook without a signature", request("POST /hooks/stripe", JSON_BODY, BODY)),
  door("bridge", "a webhook with a wrong signature", request("POST /hooks/stripe", { ...JSON_BODY, ...STALE }, BODY)),
  door("bridge", "a webhook of 1 MB with a wrong signature", request("POST /hooks/stripe", STALE, LARGE), RATE.large),
  door(
    "bridge",
    "the same for Standard Webhooks",
    request("POST /hooks/supabase", { ...JSON_BODY, ...STANDARD }, BODY),
  ),
  door("bridge", "a forged token, whose keys are fetched", request("POST /hooks/kinde", {}, TOKEN)),
  door("bridge", "a secret in the path", request("POST /hooks/stripe/guess", JSON_BODY, BODY)),
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
  door("email", "its /admin without a token", request("GET /admin/teams")),
  door("email", "its inbox, which is off", request("GET /inbox")),
  door("email", "OPTIONS", request("OPTIONS /v1/lists")),
  door("email", "a path that does not exist there", request("GET /wp-login.php")),
];

const flood = (port: number, { wire, rate }: Door): (() => number) => {
  let answered = 0;
  let stopped = false;
  const sockets: Socket[] = [];
  const open = (n: number): void => {
    const socket = connect({ port, host: "127.0.0.1", noDelay: true });
    socket.on("data", (data) => {
      if (data.includes("HTTP/1.1 ")) answered++;
    });
    socket.on("error", () => {});
    // The Worker closes a connection with an unread body.
    socket.on("close", () => {
      if (!stopped) open(n);
    });
    sockets[n] = socket;
  };
  for (let n = 0; n < CONNECTIONS; n++) open(n);
  let sent = 0;
  const began = performance.now();
  const timer = setInterval(() => {
    const wanted = Math.floor(((performance.now() - began) / 1_000) * rate);
    for (; sent < wanted; sent++) sockets[sent % CONNECTIONS]?.write(wire);
  }, 5);
  return () => {
    stopped = true;
    clearInterval(timer);
    for (const socket of sockets) socket.destroy();
    return answered;
  };
};

const withWaiting = async <T>(
  service: Service,
  waiting: number,
  work: (ports: Record<Door["port"], number>) => Promise<T>,
): Promise<T> => {
  const state = await mkdtemp(join(tmpdir(), "mailspan-strangers-"));
  const workers = await startWorkers({
    port: 0,
    emailPort: 0,
    state,
    bridgeVars: {
      ...SECRETS,
      KINDE_DOMAIN,
      ADMIN_TOKEN: "bench-token",
      EMAIL_API_URL: service.url,
      EMAIL_API_KEY: "ms_bench",
    },
    emailVars: { ADMIN_TOKEN: "bench-token", API_KEY_SECRET: "bench-secret" },
  });
  try {
    const ports = { bridge: Number(new URL(workers.url).port), email: Number(new URL(workers.emailUrl).port) };
    // One request for all would need 200 MB.
    for (let n = 0; n < waiting; n += 5_000) {
      const requests = await several(Math.min(5_000, waiting - n), (i) => customerUpdate("/hooks", n + i));
      const { statuses } = await load(ports.bridge, requests, 64);
      if (statuses.size !== 1 || !statuses.has(202)) throw new Error(`Not filled: ${JSON.stringify([...statuses])}`);
    }
    return await work(ports);
  } finally {
    await workers.stop();
    await rm(state, { recursive: true, force: true });
  }
};

const BETWEEN = 2;
const BOUND = 0.95;

type Found = { door: Door; shares: number[]; answered: number[] };

/**
 * Measures delivery during unauthenticated requests. A miss is repeated twice for a median.
 * @param seconds length of each time
 */
export const strangers = (
  service: Service,
  { waiting, seconds }: { waiting: number; seconds: number },
): Promise<Figure[]> =>
  withWaiting(service, waiting, async (ports) => {
    const { arrivals } = service;
    /** Counts from the last earlier arrival to the first later one, so a final stall counts. */
    const delivered = async (): Promise<number> => {
      const first = arrivals.length - 1;
      await sleep(seconds * 1_000);
      const count = arrivals.length;
      await until("another delivery arrives", () => arrivals.length > count, 20_000);
      const [from, to] = [arrivals[first]?.at ?? 0, arrivals[count]?.at ?? Number.POSITIVE_INFINITY];
      return ((count - first) / (to - from)) * 1_000;
    };
    const during = async (one: Door, answered: number[]): Promise<number> => {
      const began = performance.now();
      const stop = flood(ports[one.port], one);
      const rate = await delivered();
      answered.push((stop() / (performance.now() - began)) * 1_000);
      await sleep(300);
      return rate;
    };
    const quiet: number[] = [];
    const measure = async (doors: readonly Found[]): Promise<void> => {
      let before = await delivered();
      quiet.push(before);
      for (let n = 0; n < doors.length; n += BETWEEN) {
        const some = doors.slice(n, n + BETWEEN);
        const rates: number[] = [];
        for (const { door: one, answered } of some) rates.push(await during(one, answered));
        const after = await delivered();
        for (const [i, { shares }] of some.entries()) shares.push((2 * (rates[i] ?? 0)) / (before + after));
        before = after;
        quiet.push(after);
      }
    };

    await until("delivery runs", () => arrivals.length > 20, 60_000);
    const all = DOORS.map((one): Found => ({ door: one, shares: [], answered: [] }));
    await measure(all);
    // Other load slows single times.
    const missed = all.filter(({ shares }) => median(shares) < BOUND);
    for (let n = 0; n < 2 && missed.length > 0; n++) await measure(missed);
    return [
      { what: `deliveries per second with ${waiting} waiting and no stranger`, value: median(quiet).toFixed(2) },
      ...all.map(({ door: { what }, shares, answered }) =>
        atLeast(`  share with ${median(answered).toFixed(0)} a second of: ${what}`, median(shares), BOUND, 3),
      ),
    ];
  });
