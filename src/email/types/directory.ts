import type { Reply } from "../../lib/contract/mount.ts";

/** A team as the Directory has it. `createdAt`: Unix ms. */
export type Listed = { id: string; name: string; createdAt: number };

/** What the Directory object answers to. */
export type DirectoryRpc = {
  /** Enters a team, or its new name; what is known already is not written again. */
  register(team: Listed): Promise<void>;
  /** One page, the team entered last on top. */
  list(asked: { perPage?: number | undefined; cursor?: string | undefined }): Promise<Reply>;
};

/** The one object that knows which teams there are. The v1 API never asks it: a key names its team. */
export const DIRECTORY_NAME = "directory";
