import type { Call } from "../../../src/outbox/model/types.ts";
import type { Accepted, HostTables } from "./evidence.ts";
import type { Sent } from "./provider.ts";
import type { Arrival } from "./proxy.ts";
import { acted, fulfils, isAnswered, isKeyed, isRefused, requestsOf, valueIn, valueKind } from "./requests.ts";
import { addressOf, valueText } from "./webhooks.ts";

export type Evidence = {
  sent: readonly Sent[];
  journal: readonly Accepted[];
  arrivals: readonly Arrival[];
  host: HostTables;
  mails: number;
  patient: boolean;
};

export type Violation = { promise: string; what: string; webhook?: number; call?: Call };

const LIMIT = 10;

type Known = { sent: Sent; accepted: Accepted };
type Ledger = Evidence & { known: readonly Known[]; keysAtHost: ReadonlySet<string> };

export const violationsOf = (evidence: Evidence): Violation[] => {
  const byEvent = new Map(evidence.sent.map((sent) => [`${sent.source} ${sent.eventId}`, sent]));
  const known = evidence.journal.flatMap((accepted): Known[] => {
    const sent = byEvent.get(`${accepted.source} ${accepted.eventId}`);
    return sent ? [{ sent, accepted }] : [];
  });
  const ledger: Ledger = { ...evidence, known, keysAtHost: new Set(evidence.host.keys.map(({ key }) => key)) };
  return [lost, open, setAside, twice, dead, done, order, newest, removed, rate, mails].flatMap((check) =>
    check(ledger),
  );
};

/** True if the delivery repeats an update or removal, because an earlier request could arrive late. */
export const isRepeat = (call: object): boolean => "repeats" in call && call.repeats !== undefined;

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
  calls(known)
    .filter(({ call }) => patient || !isRepeat(call))
    .filter(({ call: { state } }) => state === "waiting" || state === "sending" || state === "parked")
    .map(({ sent, call }) => ({
      promise: "every call settles",
      what: `a call of ${name(sent)} is ${call.state}: ${call.message ?? ""}`,
      webhook: sent.n,
      call,
    }));

/** A delivery is replaced by newer webhooks of its person, or skipped if the person's account was deleted. */
const setAside = ({ known }: Ledger): Violation[] =>
  calls(known).flatMap(({ sent, call }): Violation[] => {
    const isOf = (other: Known) => addressOf(other.sent) === addressOf(sent) && other.sent.n > sent.n;
    const isWrong =
      (call.state === "superseded" && !known.some((other) => isOf(other) && other.accepted.calls.length > 0)) ||
      (call.state === "skipped" && !known.some((other) => isOf(other) && other.sent.topic === "account deleted"));
    const what = `a call of ${name(sent)} is ${call.state} without a reason (${call.message ?? ""})`;
    return isWrong ? [{ promise: "nothing is lost", what, webhook: sent.n, call }] : [];
  });

const calls = (known: readonly Known[]) =>
  known.flatMap(({ sent, accepted }) => accepted.calls.map((call) => ({ sent, call })));

const twice = ({ known, host, keysAtHost }: Ledger): Violation[] => {
  const promise = "nothing is acted on twice";
  const planned = calls(known).map(({ call }) => call.key);
  const strange = [...keysAtHost].filter((key) => !planned.includes(key));
  const numbers = host.events.flatMap(({ name: event, properties }) => {
    const number = event === "noted" ? properties.webhook : properties.number;
    return number === undefined ? [] : [`${event} ${number}`];
  });
  const again = numbers.filter((number, at) => numbers.indexOf(number) !== at);
  const taken = (operation: RegExp) => host.keys.filter((key) => operation.test(key.operation)).length;
  return [
    ...strange.map((key) => ({ promise, what: `the host acted on the key ${key}, which no call has` })),
    ...again.map((number) => ({ promise, what: `the host has the event ${number} twice` })),
    ...(host.events.length !== taken(/^events\./)
      ? [{ promise, what: `the host has ${host.events.length} events and took ${taken(/^events\./)} keys of events` }]
      : []),
    ...(host.sends.length !== taken(/^transactional\./)
      ? [
          {
            promise,
            what: `the host has ${host.sends.length} sends and took ${taken(/^transactional\./)} keys of sends`,
          },
        ]
      : []),
  ];
};

const MAY_HAVE_BEEN_SENT = "it may have been sent";

const dead = ({ known, arrivals, keysAtHost }: Ledger): Violation[] =>
  calls(known).flatMap(({ sent, call }): Violation[] => {
    const about = { webhook: sent.n, call };
    const what = `a call of ${name(sent)} is ${call.state} (${call.message ?? ""})`;
    if (sent.topic === "misdescribed" && call.state === "done")
      return [{ promise: "a refused call is not called done", what, ...about }];
    if (call.state === "skipped" && keysAtHost.has(call.key) && !call.message?.includes(MAY_HAVE_BEEN_SENT))
      return [{ promise: "no landed call is called skipped without a word", what, ...about }];
    if (call.state !== "dead") return [];
    const landed = isKeyed(call)
      ? keysAtHost.has(call.key)
      : requestsOf(arrivals, sent, call).some((one) => valueIn(one, sent) === sent.n && isAnswered(one));
    if (landed)
      return [{ promise: "no landed call is called dead", what: `${what}, and the host acted on it`, ...about }];
    return requestsOf(arrivals, sent, call).some(isRefused)
      ? []
      : [{ promise: "only the host's refusal makes a call dead", what, ...about }];
  });

const done = ({ known, arrivals, keysAtHost }: Ledger): Violation[] =>
  calls(known)
    .filter(({ sent, call }) => {
      if (call.state !== "done") return false;
      return isKeyed(call)
        ? !keysAtHost.has(call.key)
        : !requestsOf(arrivals, sent, call).some((one) => fulfils(one, sent, call));
    })
    .map(({ sent, call }) => ({
      promise: "no call is called done that the host never acted on",
      what: `the ${call.action} of ${name(sent)} is done, and the host never acted on it`,
      webhook: sent.n,
      call,
    }));

/** Events of one person start in the order of acceptance, one at a time, after the update of the same webhook. */
const order = ({ known, arrivals }: Ledger): Violation[] => {
  const promise = "calls of one person keep their order";
  const people = Map.groupBy(calls(known), ({ sent }) => addressOf(sent));
  return [...people.values()].flatMap((all) => {
    const events = all.filter(({ call }) => call.action === "event" && call.state === "done");
    const spans = events.map(({ sent, call }) => {
      const times = arrivals.filter(({ key }) => key === call.key).map(({ at }) => at);
      return { sent, call, first: Math.min(...times), last: Math.max(...times) };
    });
    const early = spans.filter(({ first }, at) => spans.slice(0, at).some(({ last }) => last > first));
    const beforeUpdate = spans.filter(({ sent, first }) => {
      const update = all.find(({ sent: { n }, call }) => n === sent.n && call.action === "contact");
      if (update?.call.state !== "done" || valueKind(sent) === undefined) return false;
      return !requestsOf(arrivals, sent, update.call).some(
        (one) => one.at < first && acted(one) && (valueIn(one, sent) ?? -1) >= sent.n,
      );
    });
    return [
      ...early.map(({ sent, call }) => ({
        promise,
        what: `the event of ${name(sent)} was sent before an earlier event of the same person was settled`,
        webhook: sent.n,
        call,
      })),
      ...beforeUpdate.map(({ sent, call }) => ({
        promise,
        what: `the event of ${name(sent)} was sent before the update of the same webhook landed`,
        webhook: sent.n,
        call,
      })),
    ];
  });
};

const newest = ({ known, host }: Ledger): Violation[] => {
  const writing = known.filter(
    ({ sent, accepted }) =>
      valueKind(sent) !== undefined &&
      accepted.calls.some(({ action, state }) => action === "contact" && state !== "dead"),
  );
  return [...Map.groupBy(writing, ({ sent }) => addressOf(sent))].flatMap(([email, all]): Violation[] => {
    if (known.some(({ sent }) => sent.topic === "removed" && addressOf(sent) === email)) return [];
    if (all.some(hasOpenRepeat)) return [];
    const last = all.reduce((one, other) => (other.sent.n > one.sent.n ? other : one));
    const { firstName, properties } = (host.contacts.find((contact) => contact.email === email)?.data ?? {}) as {
      firstName?: string;
      properties?: Record<string, unknown>;
    };
    const isPaid = valueKind(last.sent) === "lastPurchaseAmount";
    const [is, should] = isPaid ? [properties?.lastPurchaseAmount, last.sent.n + 1] : [firstName, valueText(last.sent)];
    const call = last.accepted.calls.find(({ action }) => action === "contact");
    const what = `${email} has the value ${is} at the host; ${name(last.sent)} gave ${should}`;
    return is === should
      ? []
      : [{ promise: "the newest values win", what, webhook: last.sent.n, ...(call ? { call } : {}) }];
  });
};

const hasOpenRepeat = ({ accepted }: Known): boolean =>
  accepted.calls.some((call) => isRepeat(call) && call.state === "waiting");

const removed = ({ known, host }: Ledger): Violation[] =>
  known
    .filter((one) => !hasOpenRepeat(one))
    .flatMap(({ sent, accepted }): Violation[] => {
      const call = accepted.calls.find(({ removes, action }) => removes && action !== "event");
      if (!call || call.state === "dead" || call.state === "superseded") return [];
      const contact = host.contacts.find(({ email }) => email === addressOf(sent));
      const about = { promise: "a removed person stays removed", webhook: sent.n, call };
      if (sent.topic === "removed" && contact)
        return [{ ...about, what: `${addressOf(sent)} is at the host, and ${name(sent)} deleted the contact` }];
      if (sent.topic === "account deleted" && contact && contact.data.subscribed !== false)
        return [{ ...about, what: `${addressOf(sent)} is subscribed, and ${name(sent)} deleted the account` }];
      return [];
    });

const rate = ({ arrivals }: Ledger): Violation[] => {
  const { many, first } = fullestSecond(arrivals);
  if (many <= LIMIT) return [];
  const lines = byTime(arrivals)
    .slice(Math.max(0, first - 2), first + many + 1)
    .map(
      ({ n, at, method, path, fault }) => `\n  ${at.toFixed(0)} ms  request ${n}  ${method} ${path}  ${fault ?? ""}`,
    );
  return [
    { promise: "at most 10 requests in any second", what: `${many} requests arrived in one second:${lines.join("")}` },
  ];
};

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

const mails = ({ known, keysAtHost, mails: count, patient }: Ledger): Violation[] => {
  const expected = calls(known).filter(
    ({ call }) => call.action === "transactional" && keysAtHost.has(call.key),
  ).length;
  return count > expected || (patient && count < expected)
    ? [{ promise: "one mail for each call", what: `${count} mails in the inbox for ${expected} calls that landed` }]
    : [];
};
