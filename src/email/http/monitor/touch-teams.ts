import type { Env } from "../../env.ts";
import type { PulseRequest, Touched } from "../../types/pulse.ts";

/** In ms. */
const ANSWER_MS = 10_000;
const MAX_PROBLEM = 300;

/** Wakes the objects of the teams at the same time. Each sets a lost alarm again and says how it is. Never throws. */
export const touchTeams = (env: Env, teams: readonly string[], request: PulseRequest = {}): Promise<Touched[]> =>
  Promise.all(
    teams.map(async (team) => {
      try {
        return { team, pulse: await inTime(env.WORKSPACE.getByName(team).pulse(request)) };
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        return { team, problem: problem.slice(0, MAX_PROBLEM) };
      }
    }),
  );

const inTime = async <T>(answer: Promise<T>): Promise<T> => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${ANSWER_MS / 1_000} s`)), ANSWER_MS);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
};
