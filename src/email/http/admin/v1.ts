import { team as slug } from "../../../lib/contract/admin/email/email-fields.ts";
import { refusalOf, wording } from "../../../lib/contract/errors.ts";
import type { Service } from "../../../lib/contract/mount.ts";
import type { Env } from "../../env.ts";
import { type Caller, runForTeam } from "../v1.ts";

export const OPERATOR_V1 = "/admin/teams/:team/v1";

/** A team's v1 API for the operator, without API key or rate limit. */
export const operatorService = (env: Env): Service<Caller> => ({
  async authorize(request) {
    const team = slug.safeParse(teamIn(request.url), { error: wording });
    if (!team.success) return { refusal: { ...refusalOf(team.error), path: "team" } };
    return { auth: { team: team.data, keyHash: null, origin: new URL(request.url).origin } };
  },
  run: (caller, request) => runForTeam(env, caller, request),
});

/** A valid team needs no decoding. */
const teamIn = (url: string): string => new URL(url).pathname.split("/")[3] ?? "";
