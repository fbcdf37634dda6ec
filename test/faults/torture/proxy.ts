import { Agent, request as send } from "node:http";
import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { asService, type ServiceAnswer } from "./answers.ts";
import { type Fault, HELD, type Spell } from "./faults.ts";
import { LEFT, perform, readRequests, type WireRequest } from "./wire.ts";

/** One request to the email service. Times in ms since the proxy started. No status: no answer. */
type Passing = { at: number; status?: number; body?: string; error?: string; answeredAt?: number };

export type Arrival = {
  n: number;
  /** Ms since the proxy started, by a monotonic clock. */
  at: number;
  /** It certainly arrived after this time, but for the machine's delays. A delay by a planned stall counts. */
  since: number;
  /** The bridge let it go at this time. */
  left?: number;
  method: string;
  path: string;
  key?: string;
  body: string;
  fault?: string;
  passings: Passing[];
  answeredAt?: number;
};

/** Moments of a request at which the test may kill a process. */
export type Moment = "arrived" | "acted" | "answered";

type Options = {
  service: () => string;
  faultOf: (n: number) => Fault | undefined;
  on: (moment: Moment, n: number) => void;
};

const CLIENT_ONLY = new Set(["service", "connection", "content-length", "accept-encoding", "transfer-encoding", LEFT]);
const PATIENCE = 15_000;

/** A proxy in front of the email service, with the planned faults. It remembers every request. */
export const startProxy = async ({ service, faultOf, on }: Options) => {
  const [started, startedAt] = [performance.now(), Date.now()];
  const now = () => performance.now() - started;
  const arrivals: Arrival[] = [];
  const events: { at: number; what: string }[] = [];
  const sockets = new Set<Socket>();
  const agent = new Agent({ keepAlive: true });
  let stalled: Promise<void> = Promise.resolve();
  let isStalled = false;
  let resumedAt = 0;
  let outage: (Spell & { until: number }) | undefined;
  let pending = 0;
  const times: { at: number; since: number }[] = [];
  const heart = startHeart(now);

  const pass = async (request: WireRequest, arrival: Arrival): Promise<ServiceAnswer | undefined> => {
    const passing: Passing = { at: now() };
    arrival.passings.push(passing);
    pending++;
    try {
      const answer = await passOn(agent, service(), request);
      Object.assign(passing, { status: answer.status, body: answer.body, answeredAt: now() });
      return answer;
    } catch (error) {
      Object.assign(passing, { error: (error as Error).message, answeredAt: now() });
      return undefined;
    } finally {
      pending--;
      on("acted", arrival.n);
    }
  };

  const reach = async (fault: Fault | undefined, request: WireRequest, arrival: Arrival) => {
    const how = fault && "reach" in fault ? fault.reach : "once";
    if (how === "never") return undefined;
    if (how === "twice") return (await Promise.all([pass(request, arrival), pass(request, arrival)]))[1];
    if (how === "once") return pass(request, arrival);
    pending++;
    setTimeout(() => void pass(request, arrival).then(() => pending--), HELD);
    return undefined;
  };

  const handle = async (socket: Socket, request: WireRequest, n: number): Promise<void> => {
    const key = request.headers["idempotency-key"];
    const body = request.body.toString();
    const planned = faultOf(n);
    const fault = planned && isFitting(planned, { key, body }, arrivals) ? planned : undefined;
    const { method, path } = request;
    const { at, since } = times[n] ?? { at: now(), since: now() };
    const left = Number(request.headers[LEFT] ?? Date.now()) - startedAt;
    const time = { at, since: left > resumedAt ? Math.min(since, left) : since, left };
    const arrival: Arrival = { n, ...time, method, path, ...(key === undefined ? {} : { key }), body, passings: [] };
    if (fault) arrival.fault = fault.name + ("reach" in fault ? ` (service: ${fault.reach})` : "");
    arrivals.push(arrival);
    on("arrived", n);
    if (fault && "spell" in fault) cast(fault);
    if (outage && now() < outage.until) {
      arrival.fault = `${outage.name} (service: never)`;
      await perform(socket, outage.answer?.() ?? []);
      return;
    }
    const answer = await reach(fault, request, arrival);
    await stalled;
    await perform(socket, fault && "answer" in fault ? fault.answer(answer) : asService(answer));
    arrival.answeredAt = now();
    on("answered", n);
  };
  const connect = (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    const onHead = () => times.push({ at: now(), since: heart.since() }) - 1;
    readRequests(socket, onHead, (request, n) => void handle(socket, request, n));
    if (isStalled) socket.pause();
  };
  const listen = (port: number): Promise<Server> =>
    new Promise((resolve, reject) => {
      const opened = createServer(connect).once("error", reject);
      opened.listen(port, "127.0.0.1", () => resolve(opened));
    });
  let server: Server | undefined = await listen(0);
  const { port } = server.address() as AddressInfo;
  let comesBack: NodeJS.Timeout | undefined;

  const cast = (given: Spell): void => {
    const { name, spell, ms } = given;
    events.push({ at: now(), what: `${name}, ${ms} ms` });
    if (spell === "outage") {
      outage = { ...given, until: now() + ms };
      return;
    }
    if (spell === "stall") {
      isStalled = true;
      for (const socket of sockets) socket.pause();
      stalled = new Promise((resolve) => setTimeout(resolve, ms)).then(() => {
        isStalled = false;
        resumedAt = now();
        for (const socket of sockets) socket.resume();
      });
      return;
    }
    server?.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
    clearTimeout(comesBack);
    comesBack = setTimeout(async () => {
      server = await listen(port);
    }, ms);
  };

  return {
    url: `http://127.0.0.1:${port}`,
    arrivals,
    events,
    note: (what: string) => void events.push({ at: now(), what }),
    now,
    pending: () => pending,
    stop: () => {
      heart.stop();
      clearTimeout(comesBack);
      server?.close();
      for (const socket of sockets) socket.destroy();
      agent.destroy();
    },
  };
};

/** Ms between two beats. A longer pause means that the process did not run. */
const BEAT = 5;
const LATE_BEAT = 20;

const startHeart = (now: () => number) => {
  let [before, last] = [now(), now()];
  const timer = setInterval(() => {
    [before, last] = [last, now()];
  }, BEAT);
  return { since: () => (last - before > LATE_BEAT ? before : last), stop: () => clearInterval(timer) };
};

export type FaultyProxy = Awaited<ReturnType<typeof startProxy>>;

const isFitting = (fault: Fault, request: Seen, earlier: readonly Arrival[]): boolean => {
  const only = "only" in fault ? fault.only : undefined;
  if (only === "with a key") return request.key !== undefined;
  return only === undefined || !earlier.some((one) => one.passings.length > 0 && isLike(one, request));
};

type Seen = { key?: string | undefined; body: string };

const isLike = (one: Seen, other: Seen): boolean =>
  other.key === undefined
    ? one.key === undefined && personIn(one.body) === personIn(other.body)
    : one.key === other.key;

const personIn = (body: string): string | undefined => /"(?:email|userId)":"([^"]+)"/.exec(body)?.[1];

const passOn = (agent: Agent, base: string, { method, path, headers, body }: WireRequest): Promise<ServiceAnswer> =>
  new Promise((resolve, reject) => {
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !CLIENT_ONLY.has(name)));
    const length = body.length > 0 ? { "Content-Length": body.length } : {};
    const request = send(
      base + path,
      { method, agent, headers: { ...kept, ...length }, timeout: PATIENCE },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const passed = Object.entries(response.headers).filter(([name]) => !CLIENT_ONLY.has(name));
          const text = passed.map(([name, value]): [string, string] => [name, String(value)]);
          resolve({
            status: response.statusCode ?? 0,
            headers: Object.fromEntries(text),
            body: Buffer.concat(chunks).toString(),
          });
        });
      },
    );
    request.on("timeout", () => request.destroy(new Error("the email service did not answer")));
    request.on("error", reject);
    request.end(body);
  });
