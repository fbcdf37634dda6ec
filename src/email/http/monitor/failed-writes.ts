import { isStorageRefusal } from "../../../lib/util/full-disk.ts";
import { log } from "../../../lib/util/log.ts";
import type { Env } from "../../env.ts";
import { DIRECTORY_NAME } from "../../types/directory-rpc.ts";

/** Lets `GET /health` of every isolate know, if the error is of storage. Never throws. */
export const noteFailedWrite = async (env: Env, error: unknown): Promise<void> => {
  if (!isStorageRefusal(error)) return;
  try {
    await env.DIRECTORY.getByName(DIRECTORY_NAME).writeFailed();
  } catch (failure) {
    log("directory_failed", { error: failure instanceof Error ? failure.message : String(failure) });
  }
};
