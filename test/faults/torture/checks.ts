import type { Delivery } from "../../../src/outbox/model/journal-types.ts";
import type { Accepted, ServiceTables } from "./evidence.ts";
import type { Sent } from "./provider.ts";
import type { Arrival } from "./proxy.ts";
import { acted, fulfills, isAnswered, isKeyed, isRefused, requestsOf, valueIn, valueKind } from "./requests.ts";
import { addressOf, valueText } from "./webhooks.ts";

export type Evidence = {
  sent: readonly Sent[];
  journal: readonly Accepted[];
  arrivals: readonly Arrival[];
  service: ServiceTables;
  mails: number;
  patient: boolean;
};

export type Violation = { promise: string; what: string; webhook?: number; delivery?: Delivery };

const LIMIT = 10;

type Known = { sent: Sent; accepted: Accepted };
type Ledger = Evidence & { known: readonly Known[]; keysAtService: ReadonlySet<string> };

export const violationsOf = (evidence: Evidence): Violation[] => {
  const byEvent = new Map(evidence.sent.map((sent) => [`${sent.source} ${sent.eventId}`, sent]));
  const known = evidence.journal.flatMap((accepted): Known[] => {
    const sent = byEvent.get(`${accepted.source} ${accepted.eventId}`);
    return sent ? [{ sent, accepted }] : [];
  });
  const ledger: Ledger = { ...evidence, known, keysAtService: new Set(evidence.service.keys.map(({ key }) => key)) };
  return [lost, open, setAside, twice, failed, done, order, newest, removed, rate, mails].flatMap((check) =>
    check(ledger),
  );
};

/** True if the delivery repeats an update or removal, because an earlier request could arrive late. */
export const isRepeat = (delivery: object): boolean => "repeats" in delivery && delivery.repeats !== undefined;

const name = ({ topic, n }: Sent): string => `webhook ${n} (${topic})`;

/** Each webhook with a 2xx answer is in the journal, once. */
const lost = ({ sent, known, journal }: Ledger): Violation[] => {
  const promise = "nothing is lost";
  const times = Map.groupBy(known, ({ sent: { n } }) => n);
  return [
    ...sent
      .filter(({ accepted, n }) => accepted !== undefined && !times.has(n))
      .map((one) => ({ promise, what: `${name(one)} was answered 2xx and is not in the journal`, webhook: one.n })),
    ...[...times.values()]
      .filter(({ length }) => length > 1)
      .map((all) => ({
        promise: "one webhook acts once",
        what: `webhook ${all[0]?.sent.n} is in the journal ${all.length} times`,
      })),
    ...(journal.length > known.length
      ? [{ promise, what: `${journal.length - known.length} webhooks of the journal were never sent` }]
      : []),
  ];
};

const open = ({ known, patient }: Ledger): Violation[] =>
  deliveries(known)
    .filter(({ delivery }) => patient || !isRepeat(delivery))
    .filter(({ delivery: { state } }) => state === "waiting" || state === "sending" || state === "undecided")
    .map(({ sent, delivery }) => ({
      promise: "every delivery settles",
      what: `a delivery of ${name(sent)} is ${delivery.state}: ${delivery.message ?? ""}`,
      webhook: sent.n,
      delivery,
    }));

/** A delivery is replaced by newer webhooks of its person, or skipped if the person's account was deleted. */
const setAside = ({ known }: Ledger): Violation[] =>
  deliveries(known).flatMap(({ sent, delivery }): Violation[] => {
    const isOf = (other: Known) => addressOf(other.sent) === addressOf(sent) && other.sent.n > sent.n;
    const isWrong =
      (delivery.state === "replaced" && !known.some((other) => isOf(other) && other.accepted.deliveries.length > 0)) ||
      (delivery.state === "skipped" && !known.some((other) => isOf(other) && other.sent.topic === "account deleted"));
    const what = `a delivery of ${name(sent)} is ${delivery.state} without a reason (${delivery.message ?? ""})`;
    return isWrong ? [{ promise: "nothing is lost", what, webhook: sent.n, delivery }] : [];
  });

const deliveries = (known: readonly Known[]) =>
  known.flatMap(({ sent, accepted }) => accepted.deliveries.map((delivery) => ({ sent, delivery })));

const twice = ({ known, service, keysAtService }: Ledger): Violation[] => {
  const promise = "nothing is acted on twice";
  const planned = deliveries(known).map(({ delivery }) => delivery.key);
  const strange = [...keysAtService].filter((key) => !planned.includes(key));
  const numbers = service.events.flatMap(({ name: event, properties }) => {
    const number = event === "noted" ? properties.webhook : properties.number;
    return number === undefined ? [] : [`${event} ${number}`];
  });
  const again = numbers.filter((number, at) => numbers.indexOf(number) !== at);
  const taken = (operation: RegExp) => service.keys.filter((key) => operation.test(key.operation)).length;
  return [
    ...strange.map((key) => ({ promise, what: `the email service acted on the key ${key}, which no delivery has` })),
    ...again.map((number) => ({ promise, what: `the email service has the event ${number} twice` })),
    ...(service.events.length !== taken(/^events\./)
      ? [
          {
            promise,
            what: `the email service has ${service.events.length} events and took ${taken(/^events\./)} keys of events`,
          },
        ]
      : []),
    ...(service.sends.length !== taken(/^transactional\./)
      ? [
          {
            promise,
            what: `the email service has ${service.sends.length} sends and took ${taken(/^transactional\./)} keys of sends`,
          },
        ]
      : []),
  ];
};

const MAY_HAVE_BEEN_SENT = "it may have been sent";

const failed = ({ known, arrivals, keysAtService }: Ledger): Violation[] =>
  deliveries(known).flatMap(({ sent, delivery }): Violation[] => {
    const about = { webhook: sent.n, delivery };
    const what = `a delivery of ${name(sent)} is ${delivery.state} (${delivery.message ?? ""})`;
    if (sent.topic === "misdescribed" && delivery.state === "done")
      return [{ promise: "a refused delivery is not called done", what, ...about }];
    if (
      delivery.state === "skipped" &&
      keysAtService.has(delivery.key) &&
      !delivery.message?.includes(MAY_HAVE_BEEN_SENT)
    )
      return [{ promise: "no landed delivery is called skipped without a word", what, ...about }];
    if (delivery.state !== "failed") return [];
    const landed = isKeyed(delivery)
      ? keysAtService.has(delivery.key)
      : requestsOf(arrivals, sent, delivery).some((one) => valueIn(one, sent) === sent.n && isAnswered(one));
    if (landed)
      return [
        {
          promise: "no landed delivery is called failed",
          what: `${what}, and the email service acted on it`,
          ...about,
        },
      ];
    return requestsOf(arrivals, sent, delivery).some(isRefused)
      ? []
      : [{ promise: "only the email service's refusal makes a delivery failed", what, ...about }];
  });

const done = ({ known, arrivals, keysAtService }: Ledger): Violation[] =>
  deliveries(known)
    .filter(({ sent, delivery }) => {
      if (delivery.state !== "done") return false;
      return isKeyed(delivery)
        ? !keysAtService.has(delivery.key)
        : !requestsOf(arrivals, sent, delivery).some((one) => fulfills(one, sent, delivery));
    })
    .map(({ sent, delivery }) => ({
      promise: "no delivery is called done that the email service never acted on",
      what: `the ${delivery.action} of ${name(sent)} is done, and the email service never acted on it`,
      webhook: sent.n,
      delivery,
    }));

/** Events of one person start in the order of acceptance, one at a time, after the update of the same webhook. */
const order = ({ known, arrivals }: Ledger): Violation[] => {
  const promise = "deliveries of one person keep their order";
  const people = Map.groupBy(deliveries(known), ({ sent }) => addressOf(sent));
  return [...people.values()].flatMap((all) => {
    const events = all.filter(({ delivery }) => delivery.action === "event" && delivery.state === "done");
    const spans = events.map(({ sent, delivery }) => {
      const times = arrivals.filter(({ key }) => key === delivery.key).map(({ at }) => at);
      return { sent, delivery, first: Math.min(...times), last: Math.max(...times) };
    });
    const early = spans.filter(({ first }, at) => spans.slice(0, at).some(({ last }) => last > first));
    const beforeUpdate = spans.filter(({ sent, first }) => {
      const update = all.find(({ sent: { n }, delivery }) => n === sent.n && delivery.action === "contact");
      if (update?.delivery.state !== "done" || valueKind(sent) === undefined) return false;
      return !requestsOf(arrivals, sent, update.delivery).some(
        (one) => one.at < first && acted(one) && (valueIn(one, sent) ?? -1) >= sent.n,
      );
    });
    return [
      ...early.map(({ sent, delivery }) => ({
        promise,
        what: `the event of ${name(sent)} was sent before an earlier event of the same person was settled`,
        webhook: sent.n,
        delivery,
      })),
      ...beforeUpdate.map(({ sent, delivery }) => ({
        promise,
        what: `the event of ${name(sent)} was sent before the update of the same webhook landed`,
        webhook: sent.n,
        delivery,
      })),
    ];
  });
};

const newest = ({ known, service }: Ledger): Violation[] => {
  const writing = known.filter(
    ({ sent, accepted }) =>
      valueKind(sent) !== undefined &&
      accepted.deliveries.some(({ action, state }) => action === "contact" && state !== "failed"),
  );
  return [...Map.groupBy(writing, ({ sent }) => addressOf(sent))].flatMap(([email, all]): Violation[] => {
    if (known.some(({ sent }) => sent.topic === "removed" && addressOf(sent) === email)) return [];
    if (all.some(hasOpenRepeat)) return [];
    const last = all.reduce((one, other) => (other.sent.n > one.sent.n ? other : one));
    const { firstName, properties } = (service.contacts.find((contact) => contact.email === email)?.data ?? {}) as {
      firstName?: string;
      properties?: Record<string, unknown>;
    };
    const isPaid = valueKind(last.sent) === "lastPurchaseAmount";
    const [is, should] = isPaid ? [properties?.lastPurchaseAmount, last.sent.n + 1] : [firstName, valueText(last.sent)];
    const delivery = last.accepted.deliveries.find(({ action }) => action === "contact");
    const what = `${email} has the value ${is} at the email service; ${name(last.sent)} gave ${should}`;
    return is === should
      ? []
      : [{ promise: "the newest values win", what, webhook: last.sent.n, ...(delivery ? { delivery } : {}) }];
  });
};

const hasOpenRepeat = ({ accepted }: Known): boolean =>
  accepted.deliveries.some((delivery) => isRepeat(delivery) && delivery.state === "waiting");

const removed = ({ known, service }: Ledger): Violation[] =>
  known
    .filter((one) => !hasOpenRepeat(one))
    .flatMap(({ sent, accepted }): Violation[] => {
      const delivery = accepted.deliveries.find(({ removes, action }) => removes && action !== "event");
      if (!delivery || delivery.state === "failed" || delivery.state === "replaced") return [];
      const contact = service.contacts.find(({ email }) => email === addressOf(sent));
      const about = { promise: "a removed person stays removed", webhook: sent.n, delivery };
      if (sent.topic === "removed" && contact)
        return [
          { ...about, what: `${addressOf(sent)} is at the email service, and ${name(sent)} deleted the contact` },
        ];
      if (sent.topic === "account deleted" && contact && contact.data.subscribed !== false)
        return [{ ...about, what: `${addressOf(sent)} is subscribed, and ${name(sent)} deleted the account` }];
      return [];
    });

const rate = ({ arrivals }: Ledger): Violation[] => {
  const promise = "at most 10 requests in any second";
  return Object.entries({ "arrived in": arrivals, "left the bridge in": departures(arrivals) }).flatMap(
    ([how, all]) => {
      const { many, first } = fullestSecond(all);
      if (many <= LIMIT) return [];
      const lines = byTime(all)
        .slice(Math.max(0, first - 2), first + many + 1)
        .map(
          ({ n, at, method, path, fault }) =>
            `\n  ${at.toFixed(0)} ms  request ${n}  ${method} ${path}  ${fault ?? ""}`,
        );
      return [{ promise, what: `${many} requests ${how} one second:${lines.join("")}` }];
    },
  );
};

/** The requests at the times at which the bridge let them go. */
export const departures = (arrivals: readonly Arrival[]): Arrival[] =>
  arrivals.flatMap((one) => (one.left === undefined ? [] : [{ ...one, at: one.left, since: one.left }]));

const byTime = (arrivals: readonly Arrival[]) => arrivals.toSorted((one, other) => one.at - other.at);

/** The most requests that certainly arrived within one second, and the place of the first one. */
export const fullestSecond = (arrivals: readonly Arrival[]): { many: number; first: number } => {
  const sorted = byTime(arrivals);
  let fullest = { many: 0, first: 0 };
  let first = 0;
  sorted.forEach(({ at }, last) => {
    while ((sorted[first]?.since ?? at) <= at - 1_000) first++;
    if (last - first + 1 > fullest.many) fullest = { many: last - first + 1, first };
  });
  return fullest;
};

const mails = ({ known, keysAtService, mails: count, patient }: Ledger): Violation[] => {
  const expected = deliveries(known).filter(
    ({ delivery }) => delivery.action === "transactional" && keysAtService.has(delivery.key),
  ).length;
  return count > expected || (patient && count < expected)
    ? [
        {
          promise: "one mail for each delivery",
          what: `${count} mails in the inbox for ${expected} deliveries that landed`,
        },
      ]
    : [];
};
