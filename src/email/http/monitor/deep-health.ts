import { isoOf, MINUTE_MS } from "../../../lib/util/dates.ts";
import type { Env } from "../../env.ts";
import { DIRECTORY_NAME } from "../../types/directory-rpc.ts";
import type { Pulse, Touched } from "../../types/pulse.ts";
import { type Health, healthNow, withReasons } from "../health.ts";
import { touchTeams } from "./touch-teams.ts";

/** Ms without a result after which open claims are a reason. */
const SILENT_MS = MINUTE_MS;

/** Returns health after a write in the Directory and in the most recently active team. `now`: Unix ms. */
export const deepHealth = async (env: Env, now: number): Promise<Health & { deep: unknown }> => {
  const directory = () => env.DIRECTORY.getByName(DIRECTORY_NAME);
  const health = await healthNow(env, now);
  try {
    const own = await directory().pulse(now);
    const { teams } = await directory().newest(now, 1);
    const [touched] = await touchTeams(env, teams, { counts: true, write: true });
    const deep = { directory: own, team: touched ? shownTeam(touched) : null };
    return { ...withReasons(health, touched ? reasonsOf(touched) : []), deep };
  } catch (error) {
    const reason = `the Directory cannot write: ${error instanceof Error ? error.message : String(error)}`;
    return { ...withReasons(health, [reason]), deep: null };
  }
};

const reasonsOf = (touched: Touched): string[] => {
  if ("problem" in touched) return [`the team ${touched.team} does not answer, or cannot write: ${touched.problem}`];
  const { pulse } = touched;
  if (!pulse) return [];
  const oldClaims = Object.entries(pulse.queues).flatMap(([mailClass, { claims, silentSince }]) =>
    silentSince !== null && pulse.at - silentSince > SILENT_MS
      ? [
          `open claims: ${claims} of ${mailClass} mail, and no result for ${Math.round((pulse.at - silentSince) / 1_000)} s`,
        ]
      : [],
  );
  return [
    ...(pulse.wasLost ? ["the alarm of the team was lost, and is set again"] : []),
    ...oldClaims,
    ...pulse.problems
      .filter(({ kind }) => kind !== "campaign.held" && kind !== "bounces.wave")
      .map(({ message }) => message),
  ];
};

const shownTeam = (touched: Touched) => {
  if ("problem" in touched || !touched.pulse) return { id: touched.team };
  const { problems: _, results, at, alarm, queues, ...rest } = touched.pulse;
  return {
    id: touched.team,
    ...rest,
    at: isoOf(at),
    alarm: timeOf(alarm),
    queues: Object.fromEntries(
      Object.entries(queues).map(([mailClass, { claims, oldestDue, silentSince, lastResult }]) => [
        mailClass,
        { claims, oldestDue: timeOf(oldestDue), silentSince: timeOf(silentSince), lastResult: timeOf(lastResult) },
      ]),
    ) as Record<keyof Pulse["queues"], unknown>,
    results,
  };
};

const timeOf = (at: number | null): string | null => (at === null ? null : isoOf(at));
