import { Unreachable } from "../lib/team-service.ts";

/** Ms. */
const PATIENCE_MS = 60_000;
const PAUSE_MS = 1_000;

export type Waiting = {
  progress(text: string): void;
  sleep(ms: number): Promise<void>;
};

/** Asks until the service answers, for up to a minute. */
export const patiently = async <T>(ask: () => Promise<T>, advice: string, { progress, sleep }: Waiting): Promise<T> => {
  for (let waited = 0; ; waited += PAUSE_MS) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof Unreachable)) throw error;
      if (waited >= PATIENCE_MS) throw new Error(`${error.message}\n${advice}`);
      progress("The service does not answer. Waiting for it.");
      await sleep(PAUSE_MS);
    }
  }
};
