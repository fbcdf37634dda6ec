import { useCallback, useEffect, useRef, useState } from "react";
import type { Replayed } from "../../parts/ledger/types.ts";
import { added } from "./sum.ts";

export type Slices = { state: "idle" | "running" | "stopped" | "over"; sum?: Replayed; error?: Error };

/** Reads or makes a replay slice by slice, adding up. It can be stopped, and goes on where it stopped. Without its page it stops. */
export const useSlices = (read: (cursor: string | undefined) => Promise<Replayed>) => {
  const [slices, setSlices] = useState<Slices>({ state: "idle" });
  const run = useRef(0);
  const start = useCallback(
    async (from?: Replayed) => {
      const mine = ++run.current;
      let sum = from;
      setSlices({ state: "running", ...(sum ? { sum } : {}) });
      try {
        do {
          const slice = await read(sum?.next ?? undefined);
          if (run.current !== mine) return;
          sum = sum ? added(sum, slice) : slice;
          setSlices({ state: sum.next === null ? "over" : "running", sum });
        } while (sum.next !== null);
      } catch (error) {
        if (run.current === mine) setSlices({ state: "stopped", error: error as Error, ...(sum ? { sum } : {}) });
      }
    },
    [read],
  );
  const stop = useCallback(() => {
    run.current++;
    setSlices((now) => ({ ...now, state: "stopped" }));
  }, []);
  useEffect(() => stop, [stop]);
  const clear = useCallback(() => {
    run.current++;
    setSlices({ state: "idle" });
  }, []);
  return { ...slices, start, stop, clear };
};
