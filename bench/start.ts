import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWorker, type WorkerOptions } from "../scripts/worker.ts";
import { cpuSeconds, residentMegabytes, workerdPids } from "./cpu.ts";

export const startOnDisk = async (options: Omit<WorkerOptions, "state">) => {
  const state = await mkdtemp(join(tmpdir(), "mailspan-bench-"));
  const running = new Set(workerdPids());
  const { url, stop } = await startWorker({ ...options, state });
  const pid = workerdPids().find((one) => !running.has(one));
  return {
    url,
    /** Seconds; NaN without /proc. */
    cpu: () => cpuSeconds(pid),
    /** MB; NaN without /proc. */
    memory: () => residentMegabytes(pid),
    stop: async () => {
      await stop();
      await rm(state, { recursive: true, force: true });
    },
  };
};
