import { type Delivery, type Lane, lanes } from "../../../src/outbox/model/journal-types.ts";
import { reasons } from "../../../src/outbox/model/reasons.ts";
import { inOrder, type Queue, type QueueItem } from "../../../src/outbox/queue/person-queues.ts";
import { isAhead, isKeyed, isNewer, isOrdered, type Known, type Model, propertiesOf } from "./model.ts";
import type { Request } from "./service.ts";

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
      const isHeld = [...queue.inFlight].some(({ sentFrom }) => sentFrom && sentFrom === first.personQueue);
      if (!paused && first.due <= now && !isHeld && !personQueue.some(isInFlight)) startable.add(lane);
    }
    const slow = [...queue.items.values()].filter((item) => isInFlight(item) && !item.joined && item.lane !== "urgent");
    for (const lane of lanes) {
      if (lane !== "urgent" && slow.length >= MAX_NOT_URGENT) continue;
      passed.set(lane, lane !== served && startable.has(lane) ? (passed.get(lane) ?? 0) + 1 : 0);
      if (passed.get(lane) === 10) clocks.count("lane passed over ten times");
      promise(
        (passed.get(lane) ?? 0) < SHARE,
        `The lane ${lane} had a delivery that was due and got none of ${SHARE} starts.`,
      );
    }
  };

  const checkOrder = (started: readonly Known[]): void => {
    const people = model.people();
    for (const one of started.filter(isOrdered))
      for (const other of model.deliveries.values()) {
        if (other.seq === undefined || started.includes(other) || !isOrdered(other)) continue;
        if (!other.inFlight && !(other.state === "waiting" && isAhead(other, one))) continue;
        if (!people.same(one.delivery.contact, other.delivery.contact)) continue;
        promise(!other.inFlight, `${one.id} started while ${other.id} of the same person was in flight.`);
        promise(false, `${one.id} started before ${other.id}, which was accepted before it and is of the same person.`);
      }
  };

  const checkFresh = (started: readonly Known[], { body }: Request): void => {
    const people = model.people();
    const values = { ...body, ...(body.properties as Record<string, unknown> | undefined) };
    const done = [...model.deliveries.values()].filter((known) => known.done !== undefined && known.seq !== undefined);
    for (const one of started) {
      for (const name of propertiesOf(one)) {
        if (!String(values[name] ?? "").startsWith(`${one.id} `) && values[name] !== one.id) continue;
        for (const other of done) {
          const overwrote = propertiesOf(other).includes(name) || other.delivery.action === "delete";
          if (!overwrote || !isNewer(other, one) || !people.same(other.delivery.contact, one.delivery.contact))
            continue;
          promise(false, `${one.id} wrote ${name} although ${other.id}, which is newer, was done.`);
        }
      }
      if (one.delivery.action !== "delete") continue;
      const outlived = done.find(
        (other) =>
          propertiesOf(other).length > 0 &&
          isNewer(other, one) &&
          people.same(other.delivery.contact, one.delivery.contact),
      );
      promise(!outlived, `${one.id} deleted a contact although ${outlived?.id}, which is newer, was done.`);
    }
  };

  const checkTies = (started: readonly Known[]): void => {
    const people = model.people();
    for (const { id, delivery, seq = 0, starts } of started) {
      const { userId } = delivery.contact;
      if (!delivery.waitsForTie || starts > 0) continue;
      const isTied = people.keysOf(delivery.contact).some((key) => key.startsWith("email:"));
      const isAtService = [...model.deliveries.values()].some(
        (other) => other.delivery.contact.userId === userId && (other.acted > 0 || other.done !== undefined),
      );
      const isOver = clocks.wall() >= seq / 1000 + TIE_WAIT;
      promise(isTied || isAtService || isOver, `${id} was sent with a user id alone before its address was known.`);
      const why = isTied ? "tied to an address" : isAtService ? "known at the email service" : "after its wait";
      clocks.count(`delivery by user id, ${why}`);
    }
  };

  const removalOf = (known: Known): Known | undefined => {
    const people = model.people();
    return [...model.deliveries.values()].find(
      ({ seq, delivery, webhook }) =>
        delivery.removes === true &&
        seq !== undefined &&
        webhook.occurredAt > known.webhook.occurredAt &&
        people.same(delivery.contact, known.delivery.contact),
    );
  };

  const checkGone = (started: readonly Known[]): void => {
    for (const known of started) {
      if (known.delivery.action !== "transactional") continue;
      const removal = removalOf(known);
      promise(!removal, `${known.id} mailed a person whom ${removal?.id} had removed.`);
    }
  };

  const checkTime = (started: readonly Known[]): void => {
    for (const { id, delivery, unknown, webhook } of started) {
      promise(webhook.skip === undefined, `${id} was sent although it is test data.`);
      const { expiresAt } = delivery as { expiresAt?: number };
      promise(expiresAt === undefined || clocks.wall() < expiresAt, `${id} was sent after it had expired.`);
      if (unknown === undefined) continue;
      const keyed = delivery.action === "event" || delivery.action === "transactional";
      const horizon = keyed ? 23 * HOUR : 72 * HOUR + clocks.downtime();
      promise(
        clocks.now() - unknown <= horizon + clocks.setBack() + 10_000,
        `${id} was sent again ${((clocks.now() - unknown) / HOUR).toFixed(1)} h after its first unknown outcome.`,
      );
    }
  };

  const checkReplaced = (known: Known): void => {
    const people = model.people();
    const newer = [...model.deliveries.values()].filter(
      (other) =>
        other.done !== undefined &&
        isNewer(other, known) &&
        people.same(other.delivery.contact, known.delivery.contact),
    );
    const gone = newer.some(({ delivery }) => delivery.action === "delete");
    const lost = gone
      ? []
      : known.delivery.action === "delete"
        ? newer.some((other) => propertiesOf(other).length > 0)
          ? []
          : ["the contact"]
        : propertiesOf(known).filter((name) => !newer.some((other) => propertiesOf(other).includes(name)));
    promise(lost.length === 0, `${known.id} is replaced, but nothing newer has written ${lost.join(", ")}.`);
  };

  const checkUndecided = ({ id, delivery, seq = 0 }: Known, { unknownSince, message = "" }: Delivery): void => {
    if (unknownSince !== undefined && !/^No (webhook|email)/.test(message)) {
      const horizon = isOrdered({ delivery } as Known) && delivery.action !== "event" ? 72 * HOUR : 23 * HOUR;
      promise(clocks.wall() >= unknownSince + horizon, `${id} was undecided before its time.`);
      return;
    }
    promise(clocks.wall() >= seq / 1000 + 72 * HOUR - 1, `${id} was undecided before it had waited 72 h.`);
    const kinds = delivery.action === "transactional" ? /^email:/ : /^(email|user):/;
    const known = model
      .people()
      .keysOf(delivery.contact)
      .find((key) => kinds.test(key));
    promise(known === undefined, `${id} was undecided for want of an identity, which is known: ${known}.`);
  };

  const checkFailed = ({ id, delivery, refused: status }: Known, { message = "" }: Delivery): void => {
    if (message.startsWith("expired")) {
      const { expiresAt = Number.POSITIVE_INFINITY } = delivery as { expiresAt?: number };
      promise(clocks.wall() >= expiresAt, `${id} is reported as expired.`);
    } else if (message.startsWith("TEMPLATES")) {
      promise((delivery as { template?: string }).template !== "receipt", `${id} is reported to have no template.`);
    } else promise(status !== undefined, `${id} has failed, but the email service never refused it alone: ${message}`);
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
    settled: (known: Known, delivery: Delivery): void => {
      const { id, state, webhook } = known;
      promise(state === "waiting" || state === delivery.state, `${id} was ${state} and is ${delivery.state} now.`);
      const isForGone = GONE.test(delivery.message ?? "");
      promise(
        (delivery.state === "skipped") === (webhook.skip !== undefined || isForGone),
        `${id} is ${delivery.state}.`,
      );
      if (isForGone) promise(removalOf(known) !== undefined, `${id} is skipped, but its person was never removed.`);
      if (delivery.state === "skipped" && known.acted > 0)
        promise(delivery.message?.includes(reasons.maybeSent) ?? false, `${id} is skipped, and it landed.`);
      if (delivery.state === "replaced") checkReplaced(known);
      if (delivery.state === "undecided") checkUndecided(known, delivery);
      if (delivery.state === "failed") checkFailed(known, delivery);
      if (delivery.message === reasons.ofAnotherUser) known.left = true;
      if (delivery.message === reasons.noContact)
        promise(delivery.removes === true && known.acted === 0, `${id} is done for nobody.`);
      else if (delivery.state === "done" && isKeyed(known))
        promise(known.acted > 0, `${id} is done, but the email service never acted on it.`);
    },
  };
};
