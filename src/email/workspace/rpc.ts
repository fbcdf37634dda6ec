import type { Call, Reply } from "../../lib/contract/mount.ts";

/** One API request of a team. `keyHash`: SHA-256 of the API key, lower-case hex. */
export type TeamCall = { keyHash: string; call: Call };

export type NewTeam = { id: string; name: string; createProperties: boolean; samples: boolean };

/** What the Workspace object of a team answers to. Refusals are values; only faults are thrown. */
export type WorkspaceRpc = {
  /** Runs one API request in one transaction: key, rate limit, idempotency, operation. */
  call(request: TeamCall): Promise<Reply>;
  createTeam(team: NewTeam): Promise<Reply>;
  /** Lets a key in by its SHA-256; the key itself is never stored. 404 where the team was never created. */
  createKey(key: { hash: string; name: string }): Promise<Reply>;
};
