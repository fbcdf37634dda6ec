import { useCallback, useSyncExternalStore } from "react";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { EXPIRED, isLoggedOut, queries } from "../../api/queries.ts";
import { clock } from "../../parts/time.ts";
import type { FileRead } from "./file/read.ts";
import type { Source } from "./file/slices.ts";
import { createUpload, type Sending, type Service, type Upload } from "./file/upload.ts";

export type StartFields = Omit<Parameters<typeof api.email.imports.start>[0], "team" | "importId">;

/** The files that this tab sends, by import. They go on while a person looks at other pages; a reload ends them. */
const uploads = new Map<string, { upload: Upload; startError?: Error }>();

const serviceOf = (team: string, importId: string, start: StartFields | undefined): Service => ({
  add: async ({ first, rows }) => {
    try {
      return await api.email.imports.addRows({ team, importId, first, rows });
    } catch (error) {
      // No query asked: the frame learns here that the session has ended.
      if (isLoggedOut(error)) queries.setQueryData(EXPIRED, true);
      throw error;
    }
  },
  complete: async (rows) => {
    await api.email.imports.complete({ team, importId, rows });
    try {
      if (start) await api.email.imports.start({ ...start, team, importId });
    } catch (error) {
      const kept = uploads.get(importId);
      if (kept) kept.startError = error as Error;
    }
    // An answer on its way may be of the time before the start: it would not be asked for again.
    await queries.cancelQueries({ queryKey: ["email", team, "import", importId] });
    void queries.invalidateQueries({ queryKey: ["email", team] });
  },
  wait: (attempt, error) => {
    const seconds = error instanceof RequestError ? (error.retryAfter ?? attempt) : attempt;
    return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  },
  mayRepeat: (error) =>
    error instanceof RequestError && (error.status === 0 || error.status === 429 || error.status >= 500),
  now: clock,
});

/**
 * Sends the rows of a file in this tab.
 *
 * @param arrived rows that the service has already
 * @param start what the import is started with when all have arrived
 */
export const sendFile = (
  { team, importId }: { team: string; importId: string },
  file: Source,
  read: Pick<FileRead, "form" | "rows">,
  arrived: number,
  start: StartFields | undefined,
): void => {
  const upload = createUpload(file, read, arrived, serviceOf(team, importId, start));
  uploads.set(importId, { upload });
  void upload.start();
};

/** Why an import could not be started when its file was there. */
export const startErrorOf = (importId: string): Error | undefined => uploads.get(importId)?.startError;

/** Forgets that, once the import is started after all. */
export const forgetStartError = (importId: string): void => {
  const kept = uploads.get(importId);
  if (kept) delete kept.startError;
};

const nothing = () => () => {};

/** How far this tab is with the file of an import; undefined where it has none. */
export const useUpload = (importId: string): { upload: Upload; sending: Sending } | undefined => {
  const upload = uploads.get(importId)?.upload;
  const sending = useSyncExternalStore(
    upload?.subscribe ?? nothing,
    useCallback(() => upload?.current(), [upload]),
  );
  return upload && sending && { upload, sending };
};
