import type { Reply } from "../../lib/contract/mount.ts";

/** A team as the Directory lists it. `createdAt`: Unix ms. */
export type Listed = { id: string; name: string; createdAt: number };

/** Methods of the Directory object. */
export type DirectoryRpc = {
  /** Adds a team or updates its name. Writes nothing when nothing changed. */
  register(team: Listed): Promise<void>;
  /** Replaces what is known about relays of a team that do not answer: a sentence for each. `now`: Unix ms. */
  relays(team: string, problems: readonly string[], now: number): Promise<void>;
  /** The sentences of all teams, each once. */
  relayProblems(now: number): Promise<string[]>;
  /** One page of teams, newest first. `origin`: of the request, for the address of the next page. */
  list(asked: { perPage?: number | undefined; cursor?: string | undefined }, origin: string): Promise<Reply>;
};

/** Name of the only Directory object. The v1 API never calls it, because an API key names its team. */
export const DIRECTORY_NAME = "directory";
