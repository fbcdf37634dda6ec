import { type Problem, problemLines } from "../lib/formats.ts";
import { Refused, type TeamService } from "../lib/team-service.ts";
import type { World } from "./file/apply.ts";
import type { Api } from "./file/current.ts";

/** The operator's workflow routes and the v1 API. */
export type Service = Pick<TeamService<Api>, "admin" | "api" | "hasKey">;

/** Returns the commands that compare and apply workflow files. */
export const filesOf = (
  { admin, api }: Pick<Service, "admin" | "api">,
  load: World["load"],
  say: World["say"],
): World => ({
  api: api(),
  load,
  say,
  pause: async (id) => void (await admin("POST", `/${id}/pause`)),
  resume: async (id) => {
    await admin("POST", `/${id}/resume`, {}).catch((error: unknown) => {
      const { problems = [] } = error instanceof Refused ? (error.body as { problems?: Problem[] }) : {};
      throw problems.length > 0 ? new Error(problemLines("It cannot be resumed:", problems).join("\n")) : error;
    });
  },
});
