import type { Reply } from "../../lib/contract/mount.ts";

/** `createdAt`: Unix ms. */
export type Listed = { id: string; name: string; createdAt: number };

export type DirectoryRpc = {
  register(team: Listed): Promise<void>;
  /** `now`: Unix ms. */
  keepSenderProblems(team: string, problems: readonly string[], now: number): Promise<void>;
  senderProblems(now: number): Promise<string[]>;
  list(asked: { perPage?: number | undefined; cursor?: string | undefined }, origin: string): Promise<Reply>;
};

/** The v1 API never calls the Directory: an API key names its team. */
export const DIRECTORY_NAME = "directory";
