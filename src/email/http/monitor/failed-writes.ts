import { log } from "../../../lib/util/log.ts";
import type { Env } from "../../env.ts";
import { DIRECTORY_NAME } from "../../types/directory-rpc.ts";

/** Words of workerd and SQLite for a write that storage refused: no room, a broken disk, rows of the day used up. */
const REFUSED = /SQLITE_(FULL|IOERR|READONLY|CANTOPEN|CORRUPT|NOTADB)|disk is full|storage|daily limit/i;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Lets `GET /health` of every isolate know, if the error is of storage. Never throws. */
export const noteFailedWrite = async (env: Env, error: unknown): Promise<void> => {
  if (!REFUSED.test(messageOf(error))) return;
  try {
    await env.DIRECTORY.getByName(DIRECTORY_NAME).writeFailed();
  } catch (failure) {
    log("directory_failed", { error: messageOf(failure) });
  }
};
