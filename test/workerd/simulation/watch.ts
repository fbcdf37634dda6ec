import { type Call, type Lane, lanes } from "../../../src/outbox/model/types.ts";
import type { Queue, QueueItem } from "../../../src/outbox/queue/queue.ts";
import type { Request } from "./host.ts";
import { isBefore, isKeyed, isNewer, isOrdered, type Known, type Model, propertiesOf } from "./model.ts";

const HOUR = 3_600_000;
/** A lane that has something to start gets at least one start in this many. */
const SHARE = 20;
const MOST_NOT_URGENT = 4;

/** A promise that was not kept. */
export class Broken extends Error {}

export const promise = (kept: boolean, what: string): void => {
  if (!kept) throw new Broken(what);
};

type Clocks = {
  /** The true time, Unix ms. */
  now(): number;
  /** What the object's machine takes for it. */
  wall(): number;
  /** Ms by which the object's clock was set back so far, together. */
  setBack(): number;
  /** Ms in which nothing may have left, together. */
  held(): number;
  count(what: string): void;
};

/** Downtime every start against the promises, at the moment it happens. */
export const createWatch = (model: Model, clocks: Clocks) => {
  const passed = new Map<Lane, number>();

  const everyLane = (queue: Queue, started: readonly QueueItem[]): void => {
    const [head] = started;
    if (!head) return;
    const now = clocks.wall();
    const isFlying = (item: QueueItem) => item.inFlight && !started.includes(item);
    const trains = new Map<unknown, QueueItem[]>();
    for (const item of queue.items.values()) {
      const train = trains.get(item.person ?? item);
      if (train) train.push(item);
      else trains.set(item.person ?? item, [item]);
    }
    const startable = new Set<Lane>();
    let served: Lane | undefined;
    for (const train of trains.values()) {
      train.sort((a, b) => a.seq - b.seq || a.index - b.index);
      const [first] = train as [QueueItem];
      const lane = lanes.find((one) => train.some((item) => item.lane === one)) as Lane;
      if (first === head) served = lane;
      const stopped = queue.pausedSources.has(first.source) || (first.source !== "" && queue.pausedSources.has("*"));
      if (!stopped && first.due <= now && !train.some(isFlying)) startable.add(lane);
    }
    const slow = [...queue.items.values()].filter((item) => isFlying(item) && !item.joined && item.lane !== "urgent");
    for (const lane of lanes) {
      if (lane !== "urgent" && slow.length >= MOST_NOT_URGENT) continue;
      passed.set(lane, lane !== served && startable.has(lane) ? (passed.get(lane) ?? 0) + 1 : 0);
      if (passed.get(lane) === 10) clocks.count("lane passed over ten times");
      promise(
        (passed.get(lane) ?? 0) < SHARE,
        `The lane ${lane} had something to start and got none of ${SHARE} starts.`,
      );
    }
  };

  const inOrder = (started: readonly Known[]): void => {
    const people = model.people();
    for (const one of started.filter(isOrdered))
      for (const other of model.calls.values()) {
        if (other.seq === undefined || started.includes(other) || !isOrdered(other)) continue;
        if (!other.flying && !(other.state === "waiting" && isBefore(other, one))) continue;
        if (!people.same(one.call.contact, other.call.contact)) continue;
        promise(!other.flying, `${one.id} started while ${other.id} of the same person was under way.`);
        promise(false, `${one.id} started before ${other.id}, which was accepted before it and is of the same person.`);
      }
  };

  const fresh = (started: readonly Known[], { body }: Request): void => {
    const people = model.people();
    const values = { ...body, ...(body.properties as Record<string, unknown> | undefined) };
    const landed = [...model.calls.values()].filter(({ done, seq }) => done !== undefined && seq !== undefined);
    for (const one of started) {
      for (const name of propertiesOf(one)) {
        if (!String(values[name] ?? "").startsWith(`${one.id} `) && values[name] !== one.id) continue;
        for (const other of landed) {
          const overtook = propertiesOf(other).includes(name) || other.call.action === "delete";
          if (!overtook || !isNewer(other, one) || !people.same(other.call.contact, one.call.contact)) continue;
          promise(false, `${one.id} wrote ${name} although ${other.id}, which is newer, had landed.`);
        }
      }
      if (one.call.action !== "delete") continue;
      const outlived = landed.find(
        (other) =>
          propertiesOf(other).length > 0 && isNewer(other, one) && people.same(other.call.contact, one.call.contact),
      );
      promise(!outlived, `${one.id} deleted a contact although ${outlived?.id}, which is newer, had landed.`);
    }
  };

  const inTime = (started: readonly Known[]): void => {
    for (const { id, call, unknown, webhook } of started) {
      promise(webhook.skip === undefined, `${id} was sent although it is test data.`);
      const { expiresAt } = call as { expiresAt?: number };
      promise(expiresAt === undefined || clocks.wall() < expiresAt, `${id} was sent after it had expired.`);
      if (unknown === undefined) continue;
      const keyed = call.action === "event" || call.action === "transactional";
      const horizon = keyed ? 23 * HOUR : 72 * HOUR + clocks.held();
      promise(
        clocks.now() - unknown <= horizon + clocks.setBack() + 10_000,
        `${id} was tried again ${((clocks.now() - unknown) / HOUR).toFixed(1)} h after its first unknown outcome.`,
      );
    }
  };

  const overtaken = (known: Known): void => {
    const people = model.people();
    const newer = [...model.calls.values()].filter(
      (other) =>
        other.done !== undefined && isNewer(other, known) && people.same(other.call.contact, known.call.contact),
    );
    const gone = newer.some(({ call }) => call.action === "delete");
    const lost = gone
      ? []
      : known.call.action === "delete"
        ? newer.some((other) => propertiesOf(other).length > 0)
          ? []
          : ["the contact"]
        : propertiesOf(known).filter((name) => !newer.some((other) => propertiesOf(other).includes(name)));
    promise(lost.length === 0, `${known.id} is superseded, but nothing newer has written ${lost.join(", ")}.`);
  };

  const parkedInTime = ({ id, call, seq = 0 }: Known, { unknownSince, message = "" }: Call): void => {
    if (unknownSince !== undefined && !/^No (webhook|email)/.test(message)) {
      const horizon = isOrdered({ call } as Known) && call.action !== "event" ? 72 * HOUR : 23 * HOUR;
      promise(clocks.wall() >= unknownSince + horizon, `${id} was parked before its time.`);
      return;
    }
    promise(clocks.wall() >= seq / 1000 + 72 * HOUR - 1, `${id} was parked before it had waited 72 h.`);
    const kinds = call.action === "transactional" ? /^email:/ : /^(email|user):/;
    const known = model
      .people()
      .keysOf(call.contact)
      .find((key) => kinds.test(key));
    promise(known === undefined, `${id} was parked for want of an identity, which is known: ${known}.`);
  };

  const refused = ({ id, call, refused: status }: Known, { message = "" }: Call): void => {
    if (message.startsWith("expired")) {
      const { expiresAt = Number.POSITIVE_INFINITY } = call as { expiresAt?: number };
      promise(clocks.wall() >= expiresAt, `${id} is said to have expired.`);
    } else if (message.startsWith("TEMPLATES")) {
      promise((call as { template?: string }).template !== "receipt", `${id} is said to have no template.`);
    } else promise(status !== undefined, `${id} is dead, but the host never refused it alone: ${message}`);
  };

  return {
    everyLane,
    /** A process starts anew: what it counted is gone with the last one. */
    forget: (): void => passed.clear(),
    /** @param probes true where it is to show whether the host accepts the key again: then no lane is meant */
    started: (
      queue: Queue,
      items: readonly QueueItem[],
      started: readonly Known[],
      request: Request,
      probes: boolean,
    ) => {
      if (!probes) everyLane(queue, items);
      inTime(started);
      inOrder(started);
      fresh(started, request);
    },
    /** A call is said to have come to something. */
    told: (known: Known, call: Call): void => {
      const { id, state, webhook } = known;
      promise(state === "waiting" || state === call.state, `${id} was ${state} and is ${call.state} now.`);
      promise((call.state === "skipped") === (webhook.skip !== undefined), `${id} is ${call.state}.`);
      if (call.state === "superseded") overtaken(known);
      if (call.state === "parked") parkedInTime(known, call);
      if (call.state === "dead") refused(known, call);
      if (call.state === "done" && isKeyed(known))
        promise(known.acted > 0, `${id} is done, but the host never acted on it.`);
    },
  };
};
