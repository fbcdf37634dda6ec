import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWorker, type WorkerOptions } from "../scripts/worker.ts";

/** A Worker in local workerd, its state on disk until it stops. */
export const startOnDisk = async (options: Omit<WorkerOptions, "state">) => {
  const state = await mkdtemp(join(tmpdir(), "mailspan-bench-"));
  const { url, stop } = await startWorker({ ...options, state });
  return {
    url,
    stop: async () => {
      await stop();
      await rm(state, { recursive: true, force: true });
    },
  };
};
