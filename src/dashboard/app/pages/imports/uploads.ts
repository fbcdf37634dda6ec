import { useCallback, useSyncExternalStore } from "react";
import { api } from "../../api/api.ts";
import { RequestError } from "../../api/client.ts";
import { EXPIRED, isLoggedOut, queries } from "../../api/queries.ts";
import { clock } from "../../parts/time.ts";
import type { FileRead } from "./file/read.ts";
import type { Source } from "./file/slices.ts";
import { createUpload, type Sending, type Service, type Upload } from "./file/upload.ts";

export type StartFields = Omit<Parameters<typeof api.email.imports.start>[0], "team" | "importId">;

/** Uploads of this tab. They survive navigation but not a reload. */
const uploads = new Map<string, { upload: Upload; startError?: Error }>();

const serviceOf = (team: string, importId: string, start: StartFields | undefined): Service => ({
  add: async ({ first, rows }) => {
    try {
      return await api.email.imports.addRows({ team, importId, first, rows });
    } catch (error) {
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
    // An answer in flight may predate the start and would not be refetched.
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
 * Uploads a file from this tab.
 *
 * @param arrived rows that the service already has
 * @param start fields for the import start
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

/** Why a fully uploaded import did not start. */
export const startErrorOf = (importId: string): Error | undefined => uploads.get(importId)?.startError;

/** Clears the error after a later start. */
export const dropStartError = (importId: string): void => {
  const kept = uploads.get(importId);
  if (kept) delete kept.startError;
};

const nothing = () => () => {};

/** Upload state of this tab, or undefined. */
export const useUpload = (importId: string): { upload: Upload; sending: Sending } | undefined => {
  const upload = uploads.get(importId)?.upload;
  const sending = useSyncExternalStore(
    upload?.subscribe ?? nothing,
    useCallback(() => upload?.current(), [upload]),
  );
  return upload && sending && { upload, sending };
};
