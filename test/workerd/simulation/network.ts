import { CALL } from "../../../src/lib/contract/echo.ts";
import { readDeliveries } from "../../../src/outbox/journal/read.ts";
import { FORMER } from "../../../src/outbox/model/delivery-state.ts";
import { promise } from "./checks.ts";
import { isKeyed, type Known } from "./model.ts";
import type { Process, Send } from "./object.ts";
import type { People } from "./people.ts";
import { type Answer, type Arrival, isKeyUsed, PLAIN_401, type Request } from "./service.ts";
import type { Foundation } from "./world.ts";

type Act = {
  deliveries: readonly Known[];
  request: Request;
  contact: number | undefined;
  people: People;
};

const KEY_CHECK = "/v1/api-key";

export type Network = ReturnType<typeof createNetwork>;

export const createNetwork = (ground: Foundation) => {
  const { timeline, trace, count, note, model, checks, disk, service, base, jitter, schedule, randomOf } = ground;
  const acts: Act[] = [];
  const ours: number[] = [];
  /**
   * Arrival of the first request of a process that an outage met, and the earliest start of one. The answer to a request
   * that started earlier says nothing.
   */
  const outages = new Map<Process, { met: number; sentAt: number }>();
  let late = 0;

  /**
   * Counts a request that reaches the email service, by the email service's clock. After the object's clock is set forward, only later
   * requests count.
   *
   * @param sentAt true time of the request
   */
  const counted = (sentAt: number): void => {
    const now = timeline.now() + schedule.ahead;
    const forwardAt = ground.setForwardAt() + schedule.ahead;
    if (sentAt + schedule.ahead < forwardAt) return;
    while ((ours[0] ?? forwardAt) < forwardAt) ours.shift();
    ours.push(now);
    const spread = now - (ours.at(-11) ?? Number.NEGATIVE_INFINITY);
    note(() => promise(spread >= 1000, `11 requests reached the email service within ${spread.toFixed(1)} ms.`));
  };

  const arrive = (request: Request, deliveries: readonly Known[], people: People): Arrival["answer"] => {
    const { answer, acted, contact, merged } = service.arrive(request, timeline.now());
    const status =
      typeof answer === "string" ? answer : `${answer.foreign === undefined ? "" : "edge "}${answer.status}`;
    count(
      `host: ${status}${typeof answer !== "string" && isKeyUsed(answer) ? " key used" : ""}${acted ? ", acted" : ""}`,
    );
    trace.say(`  arrived ${namesOf(deliveries)}: ${status}${acted ? ", acted" : ""}`);
    if (!acted) return answer;
    if (merged) count("host: merged two contacts");
    acts.push({ deliveries, request, contact: contact?.id, people });
    for (const known of deliveries) {
      known.acted++;
      note(() => promise(!isKeyed(known) || known.acted === 1, `The email service acted twice on ${known.id}.`));
    }
    ground.on.moment("acted");
    return answer;
  };

  /** Ms for which a proxy keeps a new request. The bridge gives it up before the email service gets it. */
  const timeKept = (): number | undefined => {
    const now = timeline.now();
    const isKept = schedule.faults.some(
      ({ kind, from, to, share }) => kind === "late" && now >= from && now < to && randomOf.net.chance(share),
    );
    if (isKept) count("request kept on the way");
    return isKept ? randomOf.net.int(11_000, 115_000) : undefined;
  };

  /**
   * The bridge adds it after a conflict. Here the other contact is another user's, so it only asks, or one that a late
   * request made again after its deletion.
   */
  const isMerger = (seq: number, index: number): boolean =>
    readDeliveries(disk.sql, seq)?.deliveries[index]?.rule === FORMER;

  const deliveriesOf = (from: Process) => {
    const items = [...from.engine.dispatcher.queue.items.values()].filter(
      ({ inFlight, gatewayRequest }) => inFlight && !gatewayRequest,
    );
    const fresh = items.filter(({ seq, index }) => {
      const known = model.at(seq, index);
      return known ? !from.inFlight.has(known) : !isMerger(seq, index);
    });
    const merges = items.some(({ seq, index }) => isMerger(seq, index));
    return { items: fresh, merges, deliveries: fresh.flatMap(({ seq, index }) => model.at(seq, index) ?? []) };
  };

  /** A key check and the requests of a merger have no delivery of the model. */
  const ask: Send = (from, url, init) =>
    new Promise<Response>((resolve, reject) => {
      const name = requestOf(url, init).path === KEY_CHECK ? "key check" : "request of a merger";
      count(name);
      init.signal?.addEventListener("abort", () => from.alive && reject(init.signal?.reason));
      const sentAt = timeline.now();
      timeline.in(base + jitter(), () => {
        counted(sentAt);
        const { answer } = service.arrive(requestOf(url, init), timeline.now());
        trace.say(`${name}: ${typeof answer === "string" ? answer : answer.status}`);
        if (answer === "refused") timeline.in(jitter(), () => from.alive && reject(new Error(LOST)));
        else if (answer !== "silent")
          timeline.in(answer.ms + base + jitter(), () => {
            if (isHeard(answer)) heard(from, sentAt);
            if (from.alive) resolve(responseOf(answer));
          });
      });
    });

  /** A pause or a jump of the clock stops the probes that find an outage. */
  const isSteady = !schedule.steps.some(({ kind }) => kind === "pause" || kind === "jump");

  const noteOutage = (from: Process, answer: Arrival["answer"], sentAt: number): void => {
    const isTold = !isSteady || from.engine.dispatcher.interruption !== undefined;
    const { met = timeline.now(), sentAt: first = sentAt } = outages.get(from) ?? {};
    if (isTold) outages.delete(from);
    else if (!isHeard(answer)) outages.set(from, { met, sentAt: Math.min(first, sentAt) });
  };

  /** Processes in which an answer in an outage lets one delivery through. */
  const trials = new Set<Process>();

  const heard = (from: Process, sentAt: number): void => {
    if (from.engine.dispatcher.interruption?.reason === "outage") trials.add(from);
    // The bridge counts in whole ms.
    if (Math.floor(sentAt) >= Math.floor(outages.get(from)?.sentAt ?? sentAt)) outages.delete(from);
  };

  const send: Send = (from, url, init) => {
    const request = requestOf(url, init);
    if (request.path === KEY_CHECK) return ask(from, url, init);
    const { dispatcher } = from.engine;
    const { items, merges, deliveries } = deliveriesOf(from);
    if (items.length === 0 && merges) return ask(from, url, init);
    const people = model.people();
    note(() => {
      promise(
        deliveries.length > 0 && deliveries.length === items.length,
        `A request carries no delivery: ${JSON.stringify(request)}`,
      );
      promise(dispatcher.interruption?.reason !== "blocked", `A delivery was sent while the key was refused.`);
      const isTrial = trials.delete(from);
      promise(isTrial || dispatcher.interruption?.reason !== "outage", "A delivery was sent in an outage.");
      const met = outages.get(from)?.met ?? timeline.now();
      promise(timeline.now() - met <= 15_000, "A delivery was sent 15 s after the first request that met an outage.");
      checks.started(dispatcher.queue, items, deliveries, request);
    });
    for (const known of deliveries) {
      known.inFlight = true;
      known.starts++;
      known.lastStart = timeline.now();
      from.inFlight.add(known);
    }
    count("request");
    if (deliveries.length > 1) count("request with several updates");
    if (deliveries.some(({ starts }) => starts > 1)) count("request again");
    const startedAt = timeline.now();
    trace.say(`send ${namesOf(deliveries)}  ${request.path} ${JSON.stringify(request.body)}`);
    ground.on.moment("claimed");

    return new Promise<Response>((resolve, reject) => {
      let over = false;
      const settle = (isUnknown: boolean, isJudged = false): boolean => {
        if (!from.alive || over) return false;
        over = true;
        for (const known of deliveries) {
          known.inFlight = false;
          if (!isJudged) from.inFlight.delete(known);
          if (isUnknown) known.unknown ??= known.lastStart ?? timeline.now();
        }
        if (isJudged) from.judged.add(deliveries);
        if (isUnknown) count("unknown outcome");
        return true;
      };
      init.signal?.addEventListener("abort", () => {
        if (!settle(true)) return;
        trace.say(`gave up ${namesOf(deliveries)}`);
        reject(init.signal?.reason);
      });
      const answered = (answer: Answer) => {
        const { status, foreign } = answer;
        const isUnknown = foreign !== undefined || (status >= 500 && status !== 507) || status === 408;
        const isJudged = foreign === PLAIN_401 || (!isUnknown && (status === 401 || status === 403));
        if (!settle(isUnknown, isJudged)) return;
        if (isHeard(answer)) heard(from, startedAt);
        const [alone] = deliveries;
        if (deliveries.length === 1 && alone && isRefusal(answer)) alone.refused = status;
        trace.say(`answer ${status} to ${namesOf(deliveries)}`);
        ground.on.moment("answered");
        resolve(responseOf(answer));
      };
      // A request is sent only after all earlier writes are durable.
      void disk.durable(from).then(() => {
        ground.on.moment("left");
        const kept = timeKept();
        if (kept !== undefined) late++;
        const way = kept ?? base + jitter();
        const sentAt = timeline.now();
        timeline.in(way, () => {
          // After a long delay, a request without a key is lost with its connection, unless a proxy has kept it.
          const isLost = kept === undefined && (over || !from.alive) && way > 200 && !request.key;
          if (kept === undefined && !isLost) counted(sentAt);
          if (kept !== undefined) late--;
          const answer = isLost ? "silent" : arrive(request, deliveries, people);
          if (kept === undefined) noteOutage(from, answer, startedAt);
          if (answer === "refused") timeline.in(jitter(), () => settle(true) && reject(new Error(LOST)));
          else if (answer !== "silent") timeline.in(answer.ms + base + jitter(), () => answered(answer));
        });
      });
    });
  };

  return { acts, send, counted, late: () => late, heard };
};

/** The word of workerd for a refused connection. */
const LOST = "Network connection lost.";

/** True for an answer in the form of the API that no outage gives. */
const isHeard = (answer: Arrival["answer"]): boolean =>
  typeof answer !== "string" && answer.foreign === undefined && answer.status < 500 && answer.status !== 408;

const namesOf = (deliveries: readonly Known[]): string => deliveries.map(({ id }) => id).join(" ");

export const requestOf = (url: string, init: RequestInit): Request => {
  const headers = init.headers as Record<string, string>;
  const [key, call] = [headers["Idempotency-Key"], headers[CALL]];
  const { pathname, searchParams } = new URL(url);
  const text = init.body === undefined ? undefined : String(init.body);
  const body = text === undefined ? Object.fromEntries(searchParams) : (JSON.parse(text) as Record<string, unknown>);
  return { path: pathname, body, ...(key === undefined ? {} : { key }), ...(call === undefined ? {} : { call }) };
};

const isRefusal = (answer: Answer): boolean =>
  answer.ofDelivery === true ||
  (answer.foreign === undefined &&
    answer.status >= 400 &&
    answer.status < 500 &&
    ![401, 408, 429].includes(answer.status) &&
    !isKeyUsed(answer));

/** The parts of a Response that the client reads. No streams: they would take extra steps. */
export const responseOf = (answer: Answer): Response => {
  const { status, retryAfter, foreign } = answer;
  const bytes = new TextEncoder().encode(foreign ?? JSON.stringify(bodyOf(answer)));
  const headers = new Headers({
    "Content-Length": String(bytes.length),
    ...(retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) }),
    ...(answer.call === undefined ? {} : { [CALL]: answer.call }),
  });
  const whole = { body: { cancel: async () => {} }, arrayBuffer: () => Promise.resolve(bytes.buffer) };
  return { ok: status < 300, status, headers, ...whole } as unknown as Response;
};

const bodyOf = ({ status, code, message, id, found, published }: Answer): object => {
  if (status < 300) return found ?? { success: true, id };
  // The codes are ours. Without `contact_conflict`, the bridge could not distinguish a conflict from another 400.
  if (published && code !== "contact_conflict") return { success: false, message: "", error: { reason: message } };
  return { success: false, message, ...(code ? { code } : {}) };
};
