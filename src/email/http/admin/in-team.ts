import type { AdminContract } from "../../../lib/contract/admin/email.ts";
import type { Reply } from "../../../lib/contract/mount.ts";
import type { Named, Request } from "../../../lib/contract/operation.ts";
import { isDiskFull } from "../../../lib/util/full-disk.ts";
import { log } from "../../../lib/util/log.ts";
import type { Env } from "../../env.ts";
import { DIRECTORY_NAME } from "../../types/directory-rpc.ts";
import type { AdminReply, AdminRequest, Made, OfNoTeam } from "../../types/workspace-rpc.ts";

/** `now`: Unix ms. `origin`: of the request. */
export type Caller = { env: Env; origin: string; now: number };

/** The answer of the team's object is completed in the Worker. */
type Completed = "overview.get" | "people.erase" | "domains.share" | "domains.reports";

/** An operation without a team, or with something that only the Worker can make, does not compile without a handler. */
export type WorkerHandlers = {
  readonly [Name in OfNoTeam | keyof Made | Completed]: (
    caller: Caller,
    input: Request<Named<AdminContract, Name>>,
  ) => Promise<Reply>;
};

/** Asks the object of the team, and lists the team in the Directory too. If that fails, the answer is kept, because it may hold a new key. */
export const inTeam = async ({ env, origin }: Caller, request: AdminRequest): Promise<AdminReply> => {
  const team = request.operation === "teams.create" ? request.input.id : request.input.team;
  const ask = (noRoom: boolean) => env.WORKSPACE.getByName(team).admin(request, origin, noRoom);
  const answered = await ask(false).catch((error: unknown) => {
    if (!isDiskFull(error)) throw error;
    return ask(true);
  });
  if (!answered.listed) return answered;
  try {
    const directory = env.DIRECTORY.getByName(DIRECTORY_NAME);
    await directory.register(answered.listed);
    if (answered.domains) await directory.keepDomains(answered.listed.id, answered.domains);
  } catch (error) {
    log("team_not_listed", { team, error: error instanceof Error ? error.message : String(error) });
  }
  return answered;
};
