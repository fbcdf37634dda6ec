import { awake, type Inspector } from "../inspector.ts";
import { sleep } from "../outbox/report.ts";

const PACE_MS = 250;

/** Memory in MB: process (`resident`), isolate objects (`heap`). */
export type Memory = { resident: number; heap: number };

type Watched = { inspector: Inspector; url: string; memory: () => number };

export const watchMemory = ({ inspector: { call }, url, memory }: Watched) => {
  const ask = <T>(method: string): Promise<T> => awake(url, call<T>(method));
  const sample = async (): Promise<Memory> => {
    const { usedSize } = await ask<{ usedSize: number }>("Runtime.getHeapUsage");
    return { resident: memory(), heap: usedSize / 2 ** 20 };
  };
  return {
    atRest: async (): Promise<Memory> => {
      await ask("HeapProfiler.collectGarbage");
      return sample();
    },
    during: async <T>(work: () => Promise<T>): Promise<{ result: T; most: Memory }> => {
      let isOver = false;
      const working = work().finally(() => {
        isOver = true;
      });
      const most: Memory = { resident: 0, heap: 0 };
      while (!isOver) {
        const { resident, heap } = await sample();
        most.resident = Math.max(most.resident, resident);
        most.heap = Math.max(most.heap, heap);
        await Promise.race([sleep(PACE_MS), working.catch(() => {})]);
      }
      return { result: await working, most };
    },
  };
};
