import { runInDurableObject } from "cloudflare:test";
import { onTestFinished } from "vitest";
import type { Env } from "../../../../../src/email/env.ts";
import type { Workspace } from "../../../../../src/email/workspace/object.ts";
import type { Team } from "../../bench.ts";

/**
 * Sets the limit of the team's database until the test ends, so that it is used up to `share`. Others of the process get
 * it too.
 */
export const fillTo = (team: Team, share: number): Promise<void> =>
  runInDurableObject(team.stub, (object: Workspace, { storage }) => {
    const { env } = object as unknown as { env: Env };
    onTestFinished(() => {
      delete env.MAX_TEAM_MB;
    });
    env.MAX_TEAM_MB = storage.sql.databaseSize / share / 1e6;
  });

/** Gives the limit back. */
export const empty = (team: Team): Promise<void> =>
  runInDurableObject(team.stub, (object: Workspace) => {
    delete (object as unknown as { env: Env }).env.MAX_TEAM_MB;
  });
