import { gauge, type Metric, metricsText } from "../../../lib/util/prometheus.ts";
import type { Env } from "../../env.ts";
import { DIRECTORY_NAME } from "../../types/directory-rpc.ts";
import type { MailClass } from "../../types/mail-handover.ts";
import type { Pulse, QueueState } from "../../types/pulse.ts";
import { touchTeams } from "./touch-teams.ts";

/** Teams of one answer. The free plan permits 50 calls. */
const TEAMS = 40;

type Team = { team: string; pulse: Pulse };
type Samples = (readonly [Record<string, string>, number])[];

/** Returns Prometheus text about the service and its most recently active teams. */
export const metricsNow = async (env: Env, now: number): Promise<string> => {
  const directory = () => env.DIRECTORY.getByName(DIRECTORY_NAME);
  const [{ teams, active }, own] = await Promise.all([directory().newest(now, TEAMS), directory().metrics()]);
  const touched = await touchTeams(env, teams, { counts: true });
  const known = touched.flatMap((one): Team[] =>
    "pulse" in one && one.pulse ? [{ team: one.team, pulse: one.pulse }] : [],
  );
  const silent = touched.filter((one) => "problem" in one).length;
  const service = [
    gauge("mailspan_email_active_teams", "Teams with activity in the last 24 hours.", [[{}, active]]),
    gauge("mailspan_email_measured_teams", `Teams in this answer: the ${TEAMS} most recently active ones.`, [
      [{}, known.length],
    ]),
    gauge("mailspan_email_silent_teams", "Teams that should be in this answer and gave none.", [[{}, silent]]),
  ];
  return metricsText([...service, ...own, ...metricsOf(known)]);
};

const metricsOf = (teams: readonly Team[]): Metric[] => {
  const each = (read: (pulse: Pulse, team: string) => Samples): Samples =>
    teams.flatMap(({ team, pulse }) => read(pulse, team));
  const perClass = (read: (queue: QueueState, pulse: Pulse) => number): Samples =>
    each((pulse, team) =>
      Object.entries(pulse.queues).map(
        ([mailClass, queue]) => [{ team, class: mailClass }, read(queue, pulse)] as const,
      ),
    );
  return [
    gauge(
      "mailspan_email_open_mails",
      "Mails without a result by state: queued, held (of what is paused) and sending; 10 000 of a class at most.",
      each(({ open = [] }, team) => open.map((one) => [{ team, class: one.mailClass, state: one.state }, one.count])),
    ),
    gauge(
      "mailspan_email_oldest_due_seconds",
      "Age of the oldest mail that could leave now; 0 where there is none.",
      perClass(({ oldestDue }, { at }) => (oldestDue === null ? 0 : (at - oldestDue) / 1_000)),
    ),
    gauge(
      "mailspan_email_claimed_mails",
      "Mails that Mailers have taken.",
      perClass(({ claims }) => claims),
    ),
    gauge(
      "mailspan_email_silent_seconds",
      "How long a Mailer that has mails has given no result; 0 where none has any.",
      perClass(({ silentSince }, { at }) => (silentSince === null ? 0 : Math.max(0, at - silentSince) / 1_000)),
    ),
    results(teams),
    gauge(
      "mailspan_email_problems",
      "1 for each problem that lasts, by kind and subject.",
      each(({ problems }, team) => problems.map(({ kind, subject }) => [{ team, kind, subject }, 1])),
    ),
    gauge(
      "mailspan_email_database_bytes",
      "Size of the team's database.",
      each(({ bytes }, team) => [[{ team }, bytes]]),
    ),
    gauge(
      "mailspan_email_database_limit_bytes",
      "Size that the team's database may have.",
      each(({ limitBytes }, team) => [[{ team }, limitBytes]]),
    ),
    gauge(
      "mailspan_email_schema_version",
      "Version of the team's tables.",
      each(({ schema }, team) => [[{ team }, schema]]),
    ),
  ];
};

const results = (teams: readonly Team[]): Metric => ({
  name: "mailspan_email_results_total",
  help: "Results of attempts by class, sender and outcome. An attempt whose result was lost has no sender.",
  type: "counter",
  samples: teams.flatMap(({ team, pulse }) =>
    pulse.results.map(({ mailClass, sender, outcome, count }) => ({
      labels: { team, class: mailClass satisfies MailClass, sender, outcome },
      value: count,
    })),
  ),
});
