import { log } from "../../../lib/util/log.ts";
import type { Env } from "../../env.ts";
import { DIRECTORY_NAME } from "../../types/directory-rpc.ts";

/** Words of workerd and SQLite for a write that storage refused: no room, a broken disk, rows of the day used up. */
const REFUSED = /SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)|disk is full|storage|daily limit/i;

/** True if the object of a team could not write. */
export const isStorageFailure = (error: unknown): boolean =>
  REFUSED.test(error instanceof Error ? error.message : String(error));

/** Lets `GET /health` of every isolate know. Never throws. `now`: Unix ms. */
export const noteFailedWrite = async (env: Env, now: number): Promise<void> => {
  try {
    await env.DIRECTORY.getByName(DIRECTORY_NAME).writeFailed(now);
  } catch (error) {
    log("directory_failed", { error: error instanceof Error ? error.message : String(error) });
  }
};
