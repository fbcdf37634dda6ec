import { columns, count } from "../../../scripts/lib/cli.ts";
import { departures, type Evidence, fullestSecond, type Violation } from "./checks.ts";
import type { Kill, Plan } from "./plan.ts";
import type { Arrival, FaultyProxy } from "./proxy.ts";
import { requestsOf } from "./requests.ts";

export type Report = {
  seed: number;
  violations: readonly Violation[];
  summary: string;
  story: string;
  webhooks: number;
  requests: number;
  faults: ReadonlySet<string>;
  kills: number;
  mostInASecond: number;
};

type Run = {
  plan: Plan;
  evidence: Evidence;
  violations: readonly Violation[];
  kills: readonly Kill[];
  proxy: FaultyProxy;
  ms: number;
};

const SHOWN = 10;

export const reportOf = ({ plan, evidence, violations, kills, proxy, ms }: Run): Report => {
  const { arrivals } = evidence;
  const faulty = arrivals.flatMap(({ fault }) => fault ?? []);
  const faults = new Set(faulty.map((fault) => fault.replace(/ \(service: .*/, "")));
  for (const { without } of kills) if (without) faults.add(`outage: ${without}`);
  const mostInASecond = Math.max(fullestSecond(arrivals).many, fullestSecond(departures(arrivals)).many);
  return {
    seed: plan.seed,
    violations,
    faults,
    kills: kills.length,
    mostInASecond,
    webhooks: plan.webhooks.length,
    requests: arrivals.length,
    summary:
      `seed ${plan.seed}: ${count(plan.webhooks.length, "webhook")}, ${count(arrivals.length, "request")}, ` +
      `${faulty.length} faults of ${faults.size} kinds, ${count(kills.length, "kill")}, ` +
      `at most ${mostInASecond} requests in a second, ${count(violations.length, "violation")}, ${Math.round(ms / 1000)} s`,
    story: [
      ...violations.slice(0, SHOWN).map((violation) => storyOf(violation, evidence, proxy)),
      ...(violations.length > SHOWN ? [`… and ${violations.length - SHOWN} more`] : []),
    ].join("\n\n"),
  };
};

const storyOf = (
  { promise, what, webhook, delivery }: Violation,
  { sent, arrivals }: Evidence,
  { events }: FaultyProxy,
): string => {
  const about = sent.find(({ n }) => n === webhook);
  const title = `Broken: ${promise}.\n  ${what}.`;
  if (!about || !delivery) return title;
  const own = requestsOf(arrivals, about, delivery);
  const rows = [
    ...own.map((arrival) => ({ at: arrival.at, row: rowOf(arrival) })),
    ...events
      .filter(({ at }) => own.some((arrival) => Math.abs(arrival.at - at) < 15_000))
      .map(({ at, what: event }) => ({ at, row: [`${time(at)}  ${event}`] })),
  ].sort((one, other) => one.at - other.at);
  const attempts = delivery.attempts.map(
    ({ status, message }) => `${status ?? "no answer"}${message ? `: ${message}` : ""}`,
  );
  return [
    title,
    `  ${delivery.action}, ${delivery.state}${delivery.key ? `, key ${delivery.key.slice(0, 12)}…` : ""}`,
    ...columns(rows.map(({ row }) => row))
      .split("\n")
      .map((line) => `  ${line}`),
    ...attempts.map((attempt) => `  attempt: ${attempt}`),
  ].join("\n");
};

const time = (ms: number): string => `${(ms / 1000).toFixed(3)} s`;

const rowOf = ({ n, at, method, path, body, fault, passings, answeredAt }: Arrival): string[] => [
  time(at),
  `request ${n}`,
  `${method} ${path}`,
  fault ?? "no fault",
  passings
    .map((one) => `service: ${one.status ?? one.error} after ${Math.round((one.answeredAt ?? one.at) - at)} ms`)
    .join(", ") || "service: nothing",
  answeredAt === undefined ? "never answered" : `answered after ${Math.round(answeredAt - at)} ms`,
  body.slice(0, 120),
];
