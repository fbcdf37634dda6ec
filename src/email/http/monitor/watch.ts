import { log } from "../../../lib/util/log.ts";
import type { Env } from "../../env.ts";
import { DIRECTORY_NAME } from "../../types/directory-rpc.ts";
import { touchTeams } from "./touch-teams.ts";

/** Teams of one event. The free plan permits 50 calls. */
const TEAMS = 20;

/** Touches the next teams, so that no alarm stays lost, and raises alerts. Never throws. `now`: Unix ms. */
export const watch = async (env: Env, now: number): Promise<void> => {
  const directory = () => env.DIRECTORY.getByName(DIRECTORY_NAME);
  try {
    const teams = await directory().toTouch(now, TEAMS);
    await directory().touched(await touchTeams(env, teams), now);
  } catch (error) {
    log("watch_failed", { error: error instanceof Error ? error.message : String(error) });
  }
};
