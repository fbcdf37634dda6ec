import type { Handlers } from "../core/handler.ts";
import { readTeam } from "./team.ts";

export const apiKey: Handlers<"apiKey"> = {
  test: ({ sql }) => ({ body: { success: true, teamName: readTeam(sql).name } }),
};
