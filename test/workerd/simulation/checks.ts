import { reasons } from "../../../src/outbox/model/reasons.ts";
import { type Call, type Lane, lanes } from "../../../src/outbox/model/types.ts";
import { inOrder, type Queue, type QueueItem } from "../../../src/outbox/queue/queue.ts";
import type { Request } from "./host.ts";
import { isAhead, isKeyed, isNewer, isOrdered, type Known, type Model, propertiesOf } from "./model.ts";

const HOUR = 3_600_000;
const GONE = /^The person's account was deleted/;
/** Ms for which a delivery by user id alone waits for the address. */
const TIE_WAIT = 600_000;
/** A lane with a due delivery gets at least one start in this many. */
const SHARE = 20;
const MAX_NOT_URGENT = 4;

export class Broken extends Error {}

export const promise = (kept: boolean, what: string): void => {
  if (!kept) throw new Broken(what);
};

type Clocks = {
  /** The true time, Unix ms. */
  now(): number;
  /** The time on the object's machine, Unix ms. */
  wall(): number;
  /** Total ms by which the object's clock was set back. */
  setBack(): number;
  downtime(): number;
  count(what: string): void;
};

/** Checks every request and every settled delivery against the promises, at once. */
export const createChecks = (model: Model, clocks: Clocks) => {
  const passed = new Map<Lane, number>();

  const checkLanes = (queue: Queue, started: readonly QueueItem[]): void => {
    const [head] = started;
    if (!head) return;
    const now = clocks.wall();
    const isInFlight = (item: QueueItem) => item.inFlight && !started.includes(item);
    const queues = new Map<unknown, QueueItem[]>();
    for (const item of queue.items.values()) {
      const personQueue = queues.get(item.person ?? item);
      if (personQueue) personQueue.push(item);
      else queues.set(item.person ?? item, [item]);
    }
    const startable = new Set<Lane>();
    let served: Lane | undefined;
    for (const personQueue of queues.values()) {
      personQueue.sort(inOrder);
      const [first] = personQueue as [QueueItem];
      const lane = lanes.find((one) => personQueue.some((item) => item.lane === one)) as Lane;
      if (first === head) served = lane;
      const paused = queue.pausedSources.has(first.source) || (first.source !== "" && queue.pausedSources.has("*"));
      if (!paused && first.due <= now && !personQueue.some(isInFlight)) startable.add(lane);
    }
    const slow = [...queue.items.values()].filter((item) => isInFlight(item) && !item.joined && item.lane !== "urgent");
    for (const lane of lanes) {
      if (lane !== "urgent" && slow.length >= MAX_NOT_URGENT) continue;
      passed.set(lane, lane !== served && startable.has(lane) ? (passed.get(lane) ?? 0) + 1 : 0);
      if (passed.get(lane) === 10) clocks.count("lane passed over ten times");
      promise(
        (passed.get(lane) ?? 0) < SHARE,
        `The lane ${lane} had a call that was due and got none of ${SHARE} starts.`,
      );
    }
  };

  const checkOrder = (started: readonly Known[]): void => {
    const people = model.people();
    for (const one of started.filter(isOrdered))
      for (const other of model.calls.values()) {
        if (other.seq === undefined || started.includes(other) || !isOrdered(other)) continue;
        if (!other.inFlight && !(other.state === "waiting" && isAhead(other, one))) continue;
        if (!people.same(one.call.contact, other.call.contact)) continue;
        promise(!other.inFlight, `${one.id} started while ${other.id} of the same person was in flight.`);
        promise(false, `${one.id} started before ${other.id}, which was accepted before it and is of the same person.`);
      }
  };

  const checkFresh = (started: readonly Known[], { body }: Request): void => {
    const people = model.people();
    const values = { ...body, ...(body.properties as Record<string, unknown> | undefined) };
    const done = [...model.calls.values()].filter((known) => known.done !== undefined && known.seq !== undefined);
    for (const one of started) {
      for (const name of propertiesOf(one)) {
        if (!String(values[name] ?? "").startsWith(`${one.id} `) && values[name] !== one.id) continue;
        for (const other of done) {
          const overwrote = propertiesOf(other).includes(name) || other.call.action === "delete";
          if (!overwrote || !isNewer(other, one) || !people.same(other.call.contact, one.call.contact)) continue;
          promise(false, `${one.id} wrote ${name} although ${other.id}, which is newer, was done.`);
        }
      }
      if (one.call.action !== "delete") continue;
      const outlived = done.find(
        (other) =>
          propertiesOf(other).length > 0 && isNewer(other, one) && people.same(other.call.contact, one.call.contact),
      );
      promise(!outlived, `${one.id} deleted a contact although ${outlived?.id}, which is newer, was done.`);
    }
  };

  const checkTies = (started: readonly Known[]): void => {
    const people = model.people();
    for (const { id, call, seq = 0, starts } of started) {
      const { userId } = call.contact;
      if (!call.waitsForTie || starts > 0) continue;
      const isTied = people.keysOf(call.contact).some((key) => key.startsWith("email:"));
      const isAtHost = [...model.calls.values()].some(
        (other) => other.call.contact.userId === userId && (other.acted > 0 || other.done !== undefined),
      );
      const isOver = clocks.wall() >= seq / 1000 + TIE_WAIT;
      promise(isTied || isAtHost || isOver, `${id} was sent with a user id alone before its address was known.`);
      const why = isTied ? "tied to an address" : isAtHost ? "known at the host" : "after its wait";
      clocks.count(`call by user id, ${why}`);
    }
  };

  const removalOf = (known: Known): Known | undefined => {
    const people = model.people();
    return [...model.calls.values()].find(
      ({ seq, call, webhook }) =>
        call.removes === true &&
        seq !== undefined &&
        webhook.occurredAt > known.webhook.occurredAt &&
        people.same(call.contact, known.call.contact),
    );
  };

  const checkGone = (started: readonly Known[]): void => {
    for (const known of started) {
      if (known.call.action !== "transactional") continue;
      const removal = removalOf(known);
      promise(!removal, `${known.id} mailed a person whom ${removal?.id} had removed.`);
    }
  };

  const checkTime = (started: readonly Known[]): void => {
    for (const { id, call, unknown, webhook } of started) {
      promise(webhook.skip === undefined, `${id} was sent although it is test data.`);
      const { expiresAt } = call as { expiresAt?: number };
      promise(expiresAt === undefined || clocks.wall() < expiresAt, `${id} was sent after it had expired.`);
      if (unknown === undefined) continue;
      const keyed = call.action === "event" || call.action === "transactional";
      const horizon = keyed ? 23 * HOUR : 72 * HOUR + clocks.downtime();
      promise(
        clocks.now() - unknown <= horizon + clocks.setBack() + 10_000,
        `${id} was sent again ${((clocks.now() - unknown) / HOUR).toFixed(1)} h after its first unknown outcome.`,
      );
    }
  };

  const checkSuperseded = (known: Known): void => {
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

  const checkParked = ({ id, call, seq = 0 }: Known, { unknownSince, message = "" }: Call): void => {
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

  const checkDead = ({ id, call, refused: status }: Known, { message = "" }: Call): void => {
    if (message.startsWith("expired")) {
      const { expiresAt = Number.POSITIVE_INFINITY } = call as { expiresAt?: number };
      promise(clocks.wall() >= expiresAt, `${id} is reported as expired.`);
    } else if (message.startsWith("TEMPLATES")) {
      promise((call as { template?: string }).template !== "receipt", `${id} is reported to have no template.`);
    } else promise(status !== undefined, `${id} is dead, but the host never refused it alone: ${message}`);
  };

  return {
    checkLanes,
    reset: (): void => passed.clear(),
    started: (queue: Queue, items: readonly QueueItem[], started: readonly Known[], request: Request) => {
      checkLanes(queue, items);
      checkTime(started);
      checkTies(started);
      checkGone(started);
      checkOrder(started);
      checkFresh(started, request);
    },
    settled: (known: Known, call: Call): void => {
      const { id, state, webhook } = known;
      promise(state === "waiting" || state === call.state, `${id} was ${state} and is ${call.state} now.`);
      const isForGone = GONE.test(call.message ?? "");
      promise((call.state === "skipped") === (webhook.skip !== undefined || isForGone), `${id} is ${call.state}.`);
      if (isForGone) promise(removalOf(known) !== undefined, `${id} is skipped, but its person was never removed.`);
      if (call.state === "skipped" && known.acted > 0)
        promise(call.message?.includes(reasons.maybeSent) ?? false, `${id} is skipped, and it landed.`);
      if (call.state === "superseded") checkSuperseded(known);
      if (call.state === "parked") checkParked(known, call);
      if (call.state === "dead") checkDead(known, call);
      if (call.message === reasons.ofAnotherUser) known.left = true;
      if (call.message === reasons.noContact)
        promise(call.removes === true && known.acted === 0, `${id} is done for nobody.`);
      else if (call.state === "done" && isKeyed(known))
        promise(known.acted > 0, `${id} is done, but the host never acted on it.`);
    },
  };
};
