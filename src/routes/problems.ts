import type { Env } from "../env.ts";
import { tokenProblem } from "../lib/admin-token/admin-token.ts";
import { problemKinds } from "../lib/contract/admin/bridge/attention.ts";
import { isoOf } from "../lib/util/dates.ts";
import { machineReasons } from "../lib/util/full-disk.ts";
import { outageText } from "../outbox/model/interruption.ts";
import type { Problem } from "../outbox/model/problem.ts";
import type { OutboxRpc } from "../outbox/rpc.ts";
import { failedWrites } from "./failed-writes.ts";

/** Milliseconds. */
const LATE = 300_000;

export type HealthStatus = Pick<
  Awaited<ReturnType<OutboxRpc["health"]>>,
  "waiting" | "late" | "interruption" | "foreignAnswers" | "pauses" | "quotas" | "attention" | "problems"
>;

/** Lists the open problems, heaviest first. Health, status and attention show the same. It names no person. */
export const problemsOf = (status: HealthStatus, now: number): Problem[] =>
  [
    ...interrupted(status),
    ...late(status, now),
    ...foreign(status),
    ...paused(status),
    ...full(status),
    ...(status.attention > 0 ? [needing(status.attention)] : []),
    ...status.problems,
  ].toSorted((a, b) => problemKinds.indexOf(a.kind) - problemKinds.indexOf(b.kind));

/** Problems that only this isolate and its settings know. */
export const isolateProblems = ({ ADMIN_TOKEN = "" }: Pick<Env, "ADMIN_TOKEN">, now: number): Problem[] => {
  const token = ADMIN_TOKEN === "" ? undefined : tokenProblem(ADMIN_TOKEN);
  const storage = [...machineReasons(FROM_RESERVE), ...failedWrites.reasons(now)];
  return [
    ...storage.map((message): Problem => ({ kind: "storage", message })),
    ...(token === undefined ? [] : [{ kind: "admin_token" as const, message: `admin token: ${token}` }]),
  ];
};

const FROM_RESERVE = {
  full: "only webhooks with urgent mail are accepted, from a reserve",
  low: "no webhook is accepted",
};

const interrupted = ({ interruption }: HealthStatus): Problem[] => {
  if (!interruption) return [];
  const { reason, since, probes } = interruption;
  switch (reason) {
    case "outage":
      return [{ kind: "outage", since, message: `outage: t${outageText(interruption).slice(1)}` }];
    case "blocked": {
      const message = `blocked: the email API refuses the API key or cannot be called (attempts so far: ${probes + 1})`;
      return [{ kind: "blocked", since, count: probes + 1, message }];
    }
    default:
      return [{ kind: "backoff", since, message: "backoff: the email API answered 429 (too many requests)" }];
  }
};

const foreign = ({ foreignAnswers }: HealthStatus): Problem[] => {
  if (!foreignAnswers) return [];
  const { message, count, since, at } = foreignAnswers;
  const many = count === 1 ? "1 answer" : `${count} answers`;
  const from = `${isoOf(since).slice(11, 16)} UTC`;
  const text = `foreign answers: ${message} (${many} since ${from}; the deliveries are retried)`;
  return [{ kind: "foreign_answers", message: text, count, since, last: at }];
};

const late = ({ late: ms }: HealthStatus, now: number): Problem[] => {
  if (ms <= LATE) return [];
  const message = `late: the oldest delivery has waited for ${Math.round(ms / 60_000)} min`;
  return [{ kind: "late", message, since: now - ms }];
};

const paused = ({ pauses: { all, sources } }: HealthStatus): Problem[] => {
  const times = [...(all === undefined ? [] : [all]), ...Object.values(sources)];
  if (times.length === 0) return [];
  const names = [...(all === undefined ? [] : ["all deliveries"]), ...Object.keys(sources)];
  return [{ kind: "paused", message: `paused by a person: ${names.join(", ")}`, since: Math.min(...times) }];
};

const full = ({ quotas }: HealthStatus): Problem[] =>
  quotas.map(({ source, used, quota }): Problem => {
    const what = used < quota ? "nearly full" : "full, new webhooks are refused";
    const message = `${what}: ${source} has ${used} webhooks with open deliveries, its quota is ${quota}`;
    return { kind: used < quota ? "nearly_full" : "full", source, count: used, message };
  });

const needing = (count: number): Problem => ({
  kind: "deliveries",
  count,
  message: `deliveries: ${count} ${count === 1 ? "needs" : "need"} a person`,
});
