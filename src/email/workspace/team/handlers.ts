import type { Handler } from "../runtime/operations.ts";
import { readTeam } from "./team.ts";

/** The team a key belongs to. */
export const testApiKey: Handler<"apiKey.test"> = ({ sql }) => ({
  body: { success: true, teamName: readTeam(sql).name },
});
