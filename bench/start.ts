import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startWorker, type WorkerOptions } from "../scripts/worker.ts";
import { cpuSeconds, residentMegabytes, workerdPids } from "./cpu.ts";

/** A Worker in local workerd, its state on disk until it stops. */
export const startOnDisk = async (options: Omit<WorkerOptions, "state">) => {
  const state = await mkdtemp(join(tmpdir(), "mailspan-bench-"));
  const running = new Set(workerdPids());
  const { url, stop } = await startWorker({ ...options, state });
  const pid = workerdPids().find((one) => !running.has(one));
  return {
    url,
    /** CPU time in seconds that its workerd has used; NaN where there is no /proc. */
    cpu: () => cpuSeconds(pid),
    /** Memory in MB that its workerd has in use; NaN where there is no /proc. */
    memory: () => residentMegabytes(pid),
    stop: async () => {
      await stop();
      await rm(state, { recursive: true, force: true });
    },
  };
};
