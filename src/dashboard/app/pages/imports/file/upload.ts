import { type Part, partsOf } from "./parts.ts";
import type { FileRead } from "./read.ts";
import type { Source } from "./slices.ts";

/** Upload progress. `at`: start in Unix ms. `from`: rows present at that time. */
export type Sending = {
  state: "sending" | "paused" | "failed" | "complete";
  sent: number;
  rows: number;
  from: number;
  at: number;
  error?: Error;
};

export type Service = {
  add(part: Part): Promise<{ rows: number }>;
  complete(rows: number): Promise<unknown>;
  /** `attempt`: from 1. */
  wait(attempt: number, error: unknown): Promise<void>;
  /** True if there was no answer or a retry may succeed. */
  mayRepeat(error: unknown): boolean;
  now(): number;
};

const ATTEMPTS = 4;

/** Uploads rows of a file, with pause and resume, independent of pages. */
export const createUpload = (
  file: Source,
  read: Pick<FileRead, "form" | "rows">,
  arrived: number,
  service: Service,
) => {
  let now: Sending = { state: "paused", sent: arrived, rows: read.rows, from: arrived, at: service.now() };
  let isPaused = false;
  const listeners = new Set<() => void>();
  const say = (change: Partial<Sending>) => {
    now = { ...now, ...change };
    for (const listener of listeners) listener();
  };

  const send = async (part: Part): Promise<number> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return (await service.add(part)).rows;
      } catch (error) {
        if (!service.mayRepeat(error) || attempt === ATTEMPTS) throw error;
        await service.wait(attempt, error);
        if (isPaused) throw error;
      }
    }
  };

  const start = async (): Promise<void> => {
    if (now.state === "sending" || now.state === "complete") return;
    isPaused = false;
    const { error: _, ...rest } = now;
    now = rest;
    say({ state: "sending", from: now.sent, at: service.now() });
    try {
      for await (const part of partsOf(file, read.form, now.sent)) {
        say({ sent: await send(part) });
        if (isPaused) return say({ state: "paused" });
      }
      await service.complete(read.rows);
      say({ state: "complete" });
    } catch (error) {
      say(isPaused ? { state: "paused" } : { state: "failed", error: error as Error });
    }
  };

  return {
    start,
    /** The request in flight finishes first. */
    pause(): void {
      isPaused = true;
    },
    current: () => now,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

export type Upload = ReturnType<typeof createUpload>;
