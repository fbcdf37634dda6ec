import { keyOf } from "../../../../../../src/email/delivery/mailer/mailer-queue.ts";
import type { Claim } from "../../../../../../src/email/types/mailer-rpc.ts";
import type { Limits } from "../../../../../../src/email/workspace/limits/limits.ts";
import type { Bug } from "./objects.ts";
import { replaced } from "./planted.ts";

const refused = { outcome: "refused", message: "no" } as const;

type Warmups = Limits["warmups"];
const twice =
  (count: Warmups["count"]): Warmups["count"] =>
  (...args) => {
    count(...args);
    count(...args);
  };
const onFirstDay =
  (full: Warmups["full"]): Warmups["full"] =>
  (_, ...args) =>
    full(Date.UTC(2026, 0, 1), ...args);

/** As if `known` dropped nothing. */
const keepsAll: NonNullable<Bug["exchange"]> = (queue) => {
  const given = new Map<string, Claim>();
  return async (order) => {
    const known = new Set(order.known.map(keyOf));
    for (const claim of order.sends) given.set(keyOf(claim), claim);
    const more = [...given].filter(([key]) => !known.has(key)).map(([, claim]) => claim);
    const answer = await queue.exchange({ ...order, known: [...order.known, ...more] });
    if (!("results" in answer)) return answer;
    const isNamed = (claim: Claim) => known.has(keyOf(claim));
    return { ...answer, lost: answer.lost.filter(isNamed), never: answer.never.filter(isNamed) };
  };
};

/** As if an answer emptied the results. */
const forgetsAnswered: NonNullable<Bug["exchange"]> = (queue) => {
  const answered = new Set<string>();
  return async (order) => {
    const isAnswered = (claim: Claim) => answered.has(keyOf(claim));
    const never = order.known.filter(isAnswered);
    const answer = await queue.exchange({ ...order, known: order.known.filter((claim) => !isAnswered(claim)) });
    if (!("results" in answer)) return answer;
    for (const result of answer.results) answered.add(keyOf(result));
    return { ...answer, never: [...answer.never, ...never] };
  };
};

/** As if stamps were not compared: each order is newer than the one that arrived before it. */
const neverOlder = (): NonNullable<Bug["exchange"]> => {
  let arrived = 0;
  return (queue) => (order) => {
    arrived += 1;
    return queue.exchange({ ...order, stamp: [0, arrived] });
  };
};

/** Bugs that the simulation has to find. `seed`: found it before, and is tried first. Default 1. */
export const BUGS: Record<string, Bug & { seed?: number }> = {
  "a mail is handed over before its note is durable": { seed: 12, notes: "not durable" },
  "an older order is taken": { seed: 154, exchange: neverOlder() },
  "a Mailer keeps what an order no longer names": { seed: 4, exchange: keepsAll },
  "a Mailer drops a result before it is settled": { seed: 2, exchange: forgetsAnswered },
  "a mail that is claimed at its birth is not held": { seed: 2, born: "not held" },
  "a mail that is claimed at its birth takes no room": { seed: 4, born: "not counted" },
  "the orders of an event have no bound": { seed: 14, orders: Number.POSITIVE_INFINITY },
  "the note of started mails is not read after a crash": { seed: 1, notes: "erased" },
  "a Mailer forgets the newest stamp at a reset": { seed: 13, notes: "without stamp" },
  // Each of the two guards suffices.
  "a Mailer forgets the newest stamp, and starts mails of a late order": {
    seed: 13,
    notes: "without stamp",
    exchange: (queue) => (order) => queue.exchange({ ...order, until: Number.MAX_SAFE_INTEGER }),
  },
  "a lost mail is queued again": {
    seed: 1,
    answer: (answer) =>
      "results" in answer ? { ...answer, never: [...answer.never, ...answer.lost], lost: [] } : answer,
  },
  "a mail that may still start is queued again": {
    seed: 26,
    recall: (queue, claims) => {
      queue.recall(claims);
      return [...claims];
    },
  },
  "a Mailer keeps the mails that it gives back": { seed: 26, recall: (_, claims) => [...claims] },
  "a mail in flight is queued again when it is recalled": { seed: 26, recalled: (_, claims) => [...claims] },
  "results of an answer are dropped": {
    seed: 1,
    answer: (answer) => ("results" in answer ? { ...answer, results: [], never: [], lost: [] } : answer),
  },
  "the alarm does not set the next one": { seed: 9, alarm: "last" },
  "an unknown mail is queued again": {
    seed: 8,
    mutate: replaced("SET state = 'unknown', due", "SET state = 'queued', due"),
  },
  "a mail in flight is claimed again": { seed: 18, mutate: replaced("AND state = 'queued'", "AND state <> 'sent'") },
  "settling keeps the row due": {
    seed: 5,
    mutate: replaced("SET state = ?, due = NULL, variables", "SET state = ?, variables"),
  },
  "mails are claimed without a look at suppressions": {
    seed: 1,
    mutate: replaced(
      "SELECT n, recipient, origin FROM sends WHERE class",
      "SELECT n, '' AS recipient, origin FROM sends WHERE class",
    ),
  },
  "a ceiling never grows back": {
    seed: 164,
    limits: ({ heard }) => ({
      heard: (now, mail) =>
        heard(
          now,
          mail.handover.outcome === "accepted" ? { ...mail, handover: { ...refused, about: "policy" } } : mail,
        ),
    }),
  },
  "ceilings are not looked at": { seed: 11, limits: () => ({ isQuiet: () => true }) },
  "a breaker never closes": {
    seed: 101,
    limits: ({ heard, passage }) => ({
      heard: (now, mail) => (passage(mail.mailClass, now) === "all" ? heard(now, mail) : undefined),
    }),
  },
  "an open breaker lets mail through": { seed: 11, limits: () => ({ passage: () => "all", isQuiet: () => true }) },
  "the warm-up counts each mail twice": {
    seed: 601,
    weather: { warmup: { cap: 500, used: 450 } },
    limits: ({ warmups }) => ({
      warmups: Object.assign(warmups, {
        count: twice(warmups.count),
      }),
    }),
  },
  "the cap of a warm-up is not looked at": {
    seed: 168,
    limits: ({ warmups }) => ({ warmups: Object.assign(warmups, { full: () => undefined }) }),
  },
  "the cap of a warm-up is never reset": {
    seed: 168,
    limits: ({ warmups }) => ({ warmups: Object.assign(warmups, { full: onFirstDay(warmups.full) }) }),
  },
  "mails over a ceiling stand before others": {
    seed: 1,
    limits: ({ sieve }) => ({
      sieve: (now, mailClass, mails) => {
        const { taken, putOff } = sieve(now, mailClass, mails);
        return { taken, putOff: putOff.map((mail) => ({ ...mail, due: now })) };
      },
    }),
  },
};
