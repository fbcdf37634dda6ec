import { callObject } from "../../lib/util/retry-object.ts";
import type { Via } from "../types/feedback.ts";
import { handOutName, type NotifierRpc, TEAMS_AT_ONCE, type TeamFeedback } from "../types/notifier-rpc.ts";
import type { WorkspaceRpc } from "../types/workspace-rpc.ts";

type Objects<Rpc> = { getByName(name: string): Rpc };
type Workspaces = { WORKSPACE: Objects<Pick<WorkspaceRpc, "feedback">> };
type Bindings = Workspaces & { NOTIFIER: Objects<Pick<NotifierRpc, "handOut">> };

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

/** Teams of one webhook. */
export const MOST_TEAMS = TEAMS_AT_ONCE * TEAMS_AT_ONCE;

/** Hands feedback to at most 40 teams. Returns the number of known mails; a repetition changes nothing. */
export const handOut = async ({ WORKSPACE }: Workspaces, via: Via, teams: TeamFeedback): Promise<number> => {
  return sum(
    await Promise.all(
      teams
        .slice(0, TEAMS_AT_ONCE)
        .map(([team, mails]) => callObject(() => WORKSPACE.getByName(team).feedback(via, mails))),
    ),
  );
};

/** The same for up to 1 600 teams: a Notifier takes 40 of them, in an event of its own. */
export const handOutToAll = async (env: Bindings, via: Via, teams: TeamFeedback): Promise<number> => {
  if (teams.length <= TEAMS_AT_ONCE) return handOut(env, via, teams);
  return sum(
    await Promise.all(
      Array.from({ length: TEAMS_AT_ONCE }, (_, part) => {
        const own = teams.slice(part * TEAMS_AT_ONCE, (part + 1) * TEAMS_AT_ONCE);
        return own.length === 0 ? 0 : callObject(() => env.NOTIFIER.getByName(handOutName(part)).handOut(via, own));
      }),
    ),
  );
};
