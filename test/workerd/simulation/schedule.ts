import type { Lane } from "../../../src/outbox/model/journal-types.ts";
import { createRandom, type Random } from "./random.ts";
import type { Fault } from "./service.ts";
import { createWriter, type Kind, type NamedWebhook, type Person, type Writer } from "./webhooks.ts";

/** An event from outside. `at`: ms from the start. */
export type Step = { at: number } & (
  | { kind: "webhooks"; webhooks: NamedWebhook[] }
  | { kind: "crash" }
  | { kind: "evict" }
  | { kind: "ambush"; when: Ambush }
  | { kind: "jump"; by: number }
  | { kind: "pause"; source?: string }
  | { kind: "resume"; source?: string }
  | { kind: "enter"; lane: Lane; patience: number }
  | { kind: "others"; requests: number; over: number }
);
export type Ambush = "claimed" | "left" | "acted" | "answered" | "settled" | "accepted" | "alarm";

export type Schedule = {
  people: Person[];
  steps: Step[];
  after: (Step & { kind: "webhooks" })[];
  faults: Fault[];
  forbidden: string[];
  published: boolean;
  echoes: boolean;
  taken: string[];
  /** True if the email service is beside the object: jitter and guard are small. */
  beside: boolean;
  dialect: "nested" | "flat";
  saysRetryAfter: boolean;
  stalls: boolean;
  tight: boolean;
  small: boolean;
  /** Ms the email service takes to answer. */
  takes: number;
  /** Ms the clock of the email service is ahead. */
  ahead: number;
  /** The end of all faults, ms from the start. */
  healthyAt: number;
};

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

const LARGE_BODY = JSON.stringify({ padding: "x".repeat(2_000) });

const KINDS: readonly (readonly [Kind, number])[] = [
  ["customer", 2],
  ["subscription", 5],
  ["invoice", 3],
  ["user", 3],
  ["gone", 0.7],
  ["membership", 2],
  ["code", 3],
  ["note", 6],
  ["backfill", 1],
  ["test", 0.7],
  ["link", 1],
];
const WEIGHT = KINDS.reduce((sum, [, weight]) => sum + weight, 0);

const kindOf = (random: Random): Kind => {
  let left = random.next() * WEIGHT;
  for (const [kind, weight] of KINDS) {
    left -= weight;
    if (left < 0) return kind;
  }
  return "note";
};

/** The schedule of a seed. Short runs are busy minutes. Long runs are days with few webhooks. */
export const scheduleOf = (seed: number, start: number): Schedule => {
  const random = createRandom(seed);
  const long = random.chance(0.3);
  const length = long ? random.int(20, 90) * HOUR : random.int(5, 60) * SECOND;
  const people = Array.from({ length: random.int(1, 4) }, (_, n) => ({
    email: `p${n + 1}@example.com`,
    ...(random.chance(0.6) ? { userId: `u${n + 1}` } : {}),
    ...(random.chance(0.8) ? { ref: `stripe:cus_${n + 1}` } : {}),
  }));
  const write = createWriter(random);
  const faults: Fault[] = [];
  const steps: Step[] = [
    ...webhookSteps(random, write, people, start, length, long),
    ...troubleSteps(random, length, long),
  ];
  steps.push(
    ...(long ? longFaults(random, write, people, length, faults, start) : shortFaults(random, length, faults, start)),
  );
  // The object's clock measures how long a request is on its way. It must not be set forward meanwhile.
  const isForward = steps.some((step) => step.kind === "jump" && step.by > 0);
  const late = isForward ? [] : lateRequests(createRandom(seed ^ 0x1a7e), length, start, people);
  for (const { steps: more } of late) steps.push(...more);
  steps.sort((a, b) => a.at - b.at);
  const outages = createRandom(seed ^ 0x0d0e5);
  faults.push(...outageFaults(outages, long, length, start), ...surplusFaults(outages, length, start));
  faults.push(...edgeFaults(createRandom(seed ^ 0x2f6e2b1), long, length, start));
  // A stall looks like a very slow answer. Slow answers break the rate limit, so there are no stalls.
  const stalls = !faults.some(({ kind }) => kind === "slow" || kind.startsWith("silent")) && random.chance(0.4);
  faults.push(...late.map(({ fault }) => fault));
  const healthyAt = Math.max(...steps.map(({ at }) => at), ...faults.map(({ to }) => to - start)) + 1;
  const forbidden = random.chance(0.15) ? [people[0]?.email ?? ""] : [];
  const schedule: Omit<Schedule, "small"> = {
    people,
    steps,
    faults,
    healthyAt,
    forbidden,
    after: forbidden.length > 0 ? others(start, healthyAt) : [],
    stalls: stalls && late.length === 0,
    tight: random.chance(0.15) && !long,
    beside: random.chance(0.5),
    dialect: random.chance(0.5) ? "nested" : "flat",
    saysRetryAfter: random.chance(0.5),
    takes: random.one([1, 5, 30, 80, 200, 600]),
    ahead: random.one([0, 0, 317, -1_203, 45_000]),
    taken: random.chance(0.15) ? [people.at(-1)?.email ?? ""] : [],
    published: random.chance(0.3),
    echoes: outages.chance(0.6),
  };
  // Not for the seeds in seeds.ts: purge writes would change them. A clock jump makes webhooks too old (three days)
  // while they are repeated.
  const small = seed % 5 === 1 && !steps.some(({ kind }) => kind === "jump");
  if (small)
    for (const step of steps)
      for (const webhook of step.kind === "webhooks" ? step.webhooks : []) webhook.raw = LARGE_BODY;
  return { ...schedule, small };
};

const webhookSteps = (
  random: Random,
  write: Writer,
  people: readonly Person[],
  start: number,
  length: number,
  long: boolean,
): Step[] => {
  const steps: Step[] = [];
  const send = (at: number, webhooks: NamedWebhook[]) => void steps.push({ at, kind: "webhooks", webhooks });
  const happened = (at: number) =>
    start + at - random.one([0, 50, 900, 5 * SECOND, random.int(0, long ? 30 * HOUR : 2 * MINUTE)]);
  const again = (at: number, webhooks: NamedWebhook[]) =>
    send(
      at + random.one(long ? [SECOND, 40 * MINUTE, 25 * HOUR, 70 * HOUR] : [0, 1, 80, 3 * SECOND, 15 * SECOND]),
      webhooks,
    );

  const count = long ? random.int(4, 14) : random.int(10, 55);
  for (let n = 0; n < count; n++) {
    const at = random.int(0, length);
    const webhook = write[kindOf(random)](random.one(people), happened(at));
    send(at, [webhook]);
    if (random.chance(0.12)) again(at, [webhook]);
  }
  for (let n = random.int(0, 2); n > 0; n--) {
    const at = random.int(0, length);
    const when = happened(at);
    const person = random.one(people);
    const three = random.shuffled([1, 2, 3]).map((rank) => write.subscription(person, when, rank));
    if (random.chance(0.4)) send(at, three);
    else three.forEach((one, place) => void send(at + place * random.int(0, 400), [one]));
    if (random.chance(0.3)) again(at, [random.one(three)]);
  }
  if (!long && random.chance(0.35)) {
    const at = random.int(0, length);
    const kind = random.one<Kind | undefined>([undefined, "code", "note"]);
    for (let n = random.int(15, 45); n > 0; n--)
      send(at + random.int(0, 1_500), [write[kind ?? kindOf(random)](random.one(people), happened(at))]);
  }
  for (const person of people) {
    if (!person.ref || random.chance(0.25)) continue;
    const at = long ? random.int(0, random.one([HOUR, 100 * HOUR])) : random.int(0, length);
    send(at, [write.link(person, start + at)]);
  }
  return steps;
};

const AMBUSHES: readonly Ambush[] = ["claimed", "left", "acted", "answered", "settled", "accepted", "alarm"];

const troubleSteps = (random: Random, length: number, long: boolean): Step[] => {
  const steps: Step[] = [];
  const at = () => random.int(0, length);
  for (let n = random.one([0, 0, 1, 2, 4, 8]); n > 0; n--) {
    const kind = random.one(["crash", "evict", "ambush", "ambush"] as const);
    steps.push(kind === "ambush" ? { at: at(), kind, when: random.one(AMBUSHES) } : { at: at(), kind });
  }
  if (random.chance(0.2)) steps.push({ at: at(), kind: "jump", by: -random.int(1, 5 * SECOND) });
  if (random.chance(0.1)) steps.push({ at: at(), kind: "jump", by: random.int(1, long ? 30 * HOUR : 2 * HOUR) });
  if (random.chance(0.25)) {
    const source = random.one([undefined, "stripe", "generic"]);
    const from = at();
    const about = source === undefined ? {} : { source };
    steps.push({ at: from, kind: "pause", ...about });
    const until = from + random.int(1, long ? 30 * HOUR : 20 * SECOND);
    steps.push({ at: until, kind: "resume", ...about });
  }
  if (random.chance(0.25))
    for (let n = random.int(1, 12); n > 0; n--) {
      const lane = random.one(["urgent", "transactional", "event", "contact", "backfill"] as const);
      steps.push({ at: at(), kind: "enter", lane, patience: random.one([100, 5_000, 30_000]) });
    }
  if (random.chance(0.3))
    steps.push({ at: at(), kind: "others", requests: random.int(5, 60), over: random.int(100, 6_000) });
  return steps;
};

const shortFaults = (random: Random, length: number, faults: Fault[], start: number): Step[] => {
  const kinds = ["500 before", "500 after", "silent before", "silent after", "401", "slow", "slow", "408"] as const;
  for (let n = random.one([0, 1, 1, 2, 4]); n > 0; n--) {
    const from = start + random.int(0, length);
    const kind = random.one(kinds);
    const share = kind === "401" ? 1 : random.one([0.2, 0.5, 1]);
    faults.push({ from, to: from + random.int(500, 30 * SECOND), kind, share });
  }
  return [];
};

const edgeFaults = (random: Random, long: boolean, length: number, start: number): Fault[] =>
  Array.from({ length: random.one([0, 0, 1, 2]) }, () => {
    const from = start + random.int(0, length);
    const kind = random.one(["edge before", "edge after"] as const);
    const span = long ? random.int(1, 300) * MINUTE : random.int(500, 20 * SECOND);
    return { kind, from, to: from + span, share: random.one([0.2, 0.6, 1]) };
  });

const outageFaults = (random: Random, long: boolean, length: number, start: number): Fault[] => {
  if (random.chance(0.6)) return [];
  const kinds = ["refused", "silent", "503", "507", "page"] as const;
  const from = start + random.int(0, length);
  const span = long ? random.int(1, 20 * 60) * MINUTE : random.int(2 * SECOND, 3 * MINUTE);
  return [{ kind: `outage: ${random.one(kinds)}`, from, to: from + span, share: 1 }];
};

const surplusFaults = (random: Random, length: number, start: number): Fault[] => {
  if (random.chance(0.7)) return [];
  const from = start + random.int(0, length);
  return [{ kind: "surplus", from, to: from + random.int(SECOND, 30 * SECOND), share: random.one([0.2, 0.6]) }];
};

const lateRequests = (
  random: Random,
  length: number,
  start: number,
  people: readonly Person[],
): { fault: Fault; steps: Step[] }[] => {
  const write = createWriter(random, "late");
  return Array.from({ length: random.one([0, 0, 0, 1, 2, 4]) }, () => {
    const at = random.int(0, length);
    const from = start + at;
    const fault = {
      from,
      to: from + random.int(500, 30 * SECOND),
      kind: "late" as const,
      share: random.one([0.2, 0.5, 1]),
    };
    if (random.chance(0.5)) return { fault, steps: [] };
    const person = random.one(people);
    const then = at + random.int(11, 60) * SECOND;
    const removal = write.gone(person, start + then);
    const send = (when: number, webhook: NamedWebhook): Step => ({ at: when, kind: "webhooks", webhooks: [webhook] });
    return { fault, steps: [send(at, write.user(person, start + at)), send(then, removal)] };
  });
};

const longFaults = (
  random: Random,
  write: Writer,
  people: readonly Person[],
  length: number,
  faults: Fault[],
  start: number,
): Step[] => {
  const from = random.int(0, length);
  const story = random.int(0, 5);
  const span = random.int(1, 32) * HOUR;
  const fault = (kind: Fault["kind"], share: number, to = from + span) =>
    void faults.push({ from: start + from, to: start + to, kind, share });
  if (story === 0) fault(random.one(["500 before", "500 after", "408"]), random.one([0.7, 1]));
  if (story === 1) fault("401", 1);
  if (story === 2) fault(random.one(["silent before", "silent after"]), 0.8, from + random.int(1, 120) * MINUTE);
  if (story >= 3) {
    fault("silent after", 1, from + MINUTE);
    return [
      { at: from, kind: "ambush", when: random.one(["left", "acted"]) },
      { at: from, kind: "webhooks", webhooks: [write.invoice(random.one(people), start + from)] },
      { at: from + 8 * SECOND, kind: "pause" },
      { at: from + random.int(20, 40) * HOUR, kind: "resume" },
    ];
  }
  return [];
};

/** Mail to another address. A refused contact looks like a refused key until other deliveries succeed. */
const others = (start: number, from: number): Schedule["after"] => {
  const write = createWriter(createRandom(0), "other");
  return Array.from({ length: 600 }, (_, n) => {
    const at = from + n * MINUTE;
    return { at, kind: "webhooks", webhooks: [write.other(start + at)] };
  });
};
