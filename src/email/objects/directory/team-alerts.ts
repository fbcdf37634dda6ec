import { createAlertBoard } from "../../../lib/alerts/alert-board.ts";
import { type AlertEnv, alertHookOf } from "../../../lib/alerts/hook.ts";
import { type Alert, type Alerts, type Kinds, OTHERS } from "../../../lib/alerts/open-alerts.ts";
import { DAY_MS, HOUR_MS } from "../../../lib/util/dates.ts";
import { readValue, saveValue } from "../../../lib/util/kv.ts";
import { createCounter } from "../../../lib/util/prometheus.ts";
import type { Problem, ProblemKind, Touched } from "../../types/pulse.ts";

const LASTS = { every: DAY_MS, lasts: true } as const;
const kinds: Kinds<ProblemKind | "admin.refused"> = {
  "admin.refused": { every: HOUR_MS },
  "queue.stalled": LASTS,
  "campaign.held": LASTS,
  "bounces.wave": LASTS,
  "mails.unknown": LASTS,
  "database.large": LASTS,
  "domain.broken": LASTS,
  "team.failing": LASTS,
};
const KINDS = Object.keys(kinds).filter((kind): kind is ProblemKind => kind !== "admin.refused");

/** Touches in a row without an answer. One may meet a deployment. */
const FAILURES = 2;

/** Words of /health about teams with a problem, for anyone. */
const PUBLIC: readonly [ProblemKind, (subject: string) => boolean, string][] = [
  ["team.failing", () => true, "does not work"],
  ["queue.stalled", () => true, "has mail that could leave, and had no result of its class for a minute or longer"],
  ["database.large", (subject) => /\/(85|95)$/.test(subject), "has 85 % of the size that it may have, or more"],
];

type Dependencies = {
  sql: SqlStorage;
  env: AlertEnv;
  now(): number;
  waitUntil(work: Promise<void>): void;
};

const teamOf = (subject: string): string => subject.split("/")[0] ?? "";

/** Raises and ends the alerts of teams, as their pulses say. */
export const createTeamAlerts = ({ sql, env, now, waitUntil }: Dependencies) => {
  const counter = createCounter("mailspan_email_alerts_total", "Alerts by kind and status (firing, resolved).", [
    "kind",
    "status",
  ]);
  const failures = new Map<string, number>();
  const board = createAlertBoard(kinds, {
    now,
    load: () => readValue<Alerts>(sql, "alerts"),
    save: (alerts) => saveValue(sql, "alerts", alerts),
    hook: () => alertHookOf(env),
    fetch: (url, init) => fetch(url, init),
    timeout: (ms) => AbortSignal.timeout(ms),
    waitUntil,
    counted: (kind, status) => counter.add([kind, status]),
    // The next touch looks for what is due.
    arm: () => {},
  });

  const judge = (team: string, problems: readonly Problem[], judged: readonly ProblemKind[]): void => {
    const current = new Set(problems.map(({ kind, subject }) => `${kind} ${subject}`));
    for (const problem of problems) if (!board.isFiring(problem.kind, problem.subject)) board.raise(problem);
    for (const kind of judged)
      for (const subject of board.firing(kind))
        if (teamOf(subject) === team && !current.has(`${kind} ${subject}`)) board.resolve(kind, subject);
  };

  const failed = (team: string, problem: string): Problem[] => {
    const count = (failures.get(team) ?? 0) + 1;
    failures.set(team, count);
    if (count < FAILURES) return [];
    return [{ kind: "team.failing", subject: team, message: `The team does not answer: ${problem}`, data: { team } }];
  };

  return {
    counter,
    list: () => board.list(),
    raise: (alert: Alert<"admin.refused">) => board.raise(alert),

    /** Teams with an alert that lasts. */
    teams: (): string[] => [...new Set(KINDS.flatMap((kind) => board.firing(kind)).map(teamOf))],

    learn(touched: readonly Touched[]): void {
      for (const one of touched) {
        if ("pulse" in one) {
          failures.delete(one.team);
          judge(one.team, one.pulse?.problems ?? [], KINDS);
        } else {
          const problems = failed(one.team, one.problem);
          if (problems.length > 0) judge(one.team, problems, ["team.failing"]);
        }
      }
      if (board.hasRoom()) for (const kind of KINDS) board.resolve(kind, OTHERS);
      board.remind();
      waitUntil(board.deliver());
    },

    /** Sentences that name no team, for /health. */
    problems(): string[] {
      const alerts = board.problem();
      const teams = PUBLIC.flatMap(([kind, counts, what]) => {
        const count = new Set(board.firing(kind).filter(counts).map(teamOf)).size;
        return count === 0 ? [] : [`${count === 1 ? "a team" : `${count} teams: each`} ${what}`];
      });
      return alerts === undefined ? teams : [...teams, `alerts: ${alerts}`];
    },
  };
};
