import { createRandom, type Random } from "../../workerd/simulation/random.ts";
import { type Fault, faults } from "./faults.ts";
import type { Moment } from "./proxy.ts";

type Topic =
  | "renewal"
  | "sign-up"
  | "profile"
  | "account deleted"
  | "changed"
  | "noted"
  | "removed"
  | "code"
  | "misdescribed";

/** A webhook that a provider sends. A higher `n` is newer. */
export type Planned = {
  n: number;
  topic: Topic;
  person: number;
  /** Ms after the start. */
  at: number;
  /** Ms after the first sending. */
  again?: number;
};

/** An email service that cannot be reached: its name does not resolve, or there is no TLS at its address. */
export type Unreachable = "DNS" | "TLS";

/** A kill at the n-th request. `without`: the bridge first restarts with such an address, and has an outage. */
export type Kill = { request: number; who: "bridge" | "service" | "both"; moment: Moment; without?: Unreachable };

export type Plan = {
  seed: number;
  webhooks: readonly Planned[];
  faults: ReadonlyMap<number, Fault>;
  kills: readonly Kill[];
};

/** Average ms between two webhooks. */
const BETWEEN = 110;
const REQUESTS = 2;
const EACH = 25;
const EACH_REMOVED = 10;
const DISORDER = 6;
const AGAIN = 0.1;
/** Seconds of delay by slow faults, for each request. */
const DELAY = 0.4;

/** The plan of a seed. Times and processes are real, so two runs of a seed differ. */
export const planOf = (seed: number, count: number): Plan => {
  const random = createRandom(seed);
  return {
    seed,
    webhooks: webhooksOf(count, random.fork()),
    faults: faultsOf(count * REQUESTS, random.fork()),
    kills: killsOf(count, random.fork()),
  };
};

const SHARES: readonly (readonly [Topic, number])[] = [
  ["renewal", 25],
  ["profile", 30],
  ["changed", 21],
  ["noted", 12],
  ["code", 10],
  ["misdescribed", 2],
];
const DECK = SHARES.flatMap(([topic, share]) => Array<Topic>(share).fill(topic));

const webhooksOf = (count: number, random: Random): Planned[] => {
  const people = (each: number) => Math.max(2, Math.round(count / each));
  const drawn = Array.from({ length: count }, () => {
    const topic = random.one(DECK);
    return { topic, person: random.int(1, people(topic === "changed" ? EACH_REMOVED : EACH)) };
  });
  return drawn.map(({ topic, person }, n) => {
    const own = drawn.flatMap((one, at) => (one.topic === topic && one.person === person ? [at] : []));
    const isFirst = own[0] === n;
    const isRemoved = own.length > 1 && own.at(-1) === n && person % 3 > 0;
    const place = topic === "changed" || topic === "profile" ? n + random.int(0, DISORDER) : n;
    return {
      n,
      person,
      topic: isFirst ? firstOf(topic) : isRemoved ? lastOf(topic) : topic,
      at: place * BETWEEN + random.int(0, BETWEEN),
      ...(random.chance(AGAIN) ? { again: random.int(50, (count * BETWEEN) / 3) } : {}),
    };
  });
};

const firstOf = (topic: Topic): Topic => (topic === "profile" ? "sign-up" : topic);
const lastOf = (topic: Topic): Topic =>
  topic === "profile" ? "account deleted" : topic === "changed" ? "removed" : topic;

const faultsOf = (requests: number, random: Random): ReadonlyMap<number, Fault> => {
  const planned = new Map<number, Fault>();
  let deck: Fault[] = [];
  let seconds = requests * DELAY;
  for (let n = random.int(2, 5); n < requests; n += random.int(2, 6)) {
    if (deck.length === 0) deck = random.shuffled(faults);
    const [fault] = deck.splice(0, 1);
    const delay = fault && "delay" in fault ? (fault.delay ?? 0) : 0;
    if (!fault || delay > seconds) continue;
    seconds -= delay;
    planned.set(n, fault);
  }
  return planned;
};

const killsOf = (count: number, random: Random): Kill[] => {
  const many = Math.max(3, Math.round(count / 40));
  const last = count * REQUESTS * 0.75;
  const all = ["bridge", "service", "both"] as const;
  const kills = Array.from({ length: many }, (_, n) => ({
    request: Math.round(4 + ((last - 4) * (n + random.next() * 0.8)) / many),
    who: all[n % all.length] as Kill["who"],
    moment: random.one(["arrived", "acted", "answered"] as const),
  }));
  if (many <= 4) return kills;
  const without = (n: number): Unreachable | undefined => (n === 1 ? "DNS" : n === 3 ? "TLS" : undefined);
  return kills.map((kill, n) => {
    const failing = without(n);
    return failing ? { ...kill, who: "bridge", moment: "answered", without: failing } : kill;
  });
};
