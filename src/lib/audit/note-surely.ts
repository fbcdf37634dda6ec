import { log } from "../util/log.ts";
import type { Entry } from "./entries.ts";

/** Writes an entry, at the second try if its object was reset, or a log entry on failure. */
export const noteSurely = (entry: Entry, note: (entry: Entry, request: string) => Promise<void>): Promise<void> => {
  const request = crypto.randomUUID();
  const write = () => note(entry, request);
  return orLogged(entry, () => write().catch(write));
};

/** Runs `note`, and logs its failure: the act is done. */
export const orLogged = async (
  { at, operation, status }: Pick<Entry, "at" | "operation" | "status">,
  note: () => Promise<void>,
): Promise<void> => {
  try {
    await note();
  } catch (error) {
    log("audit_failed", { at, operation, status, error: error instanceof Error ? error.message : String(error) });
  }
};
