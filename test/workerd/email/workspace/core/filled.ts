import { runInDurableObject } from "cloudflare:test";
import { setVariables } from "../../../variables.ts";
import type { Team } from "../../bench.ts";

/** Sets the limit of a team's database until the test ends, so that it is used up to `share`. */
export const fillTo = (team: Team, share: number): Promise<void> =>
  runInDurableObject(team.stub, (_, { storage }) => {
    setVariables({ MAX_TEAM_MB: storage.sql.databaseSize / share / 1e6 });
  });

/** Gives the limit back. */
export const empty = (): void => setVariables({ MAX_TEAM_MB: undefined });
