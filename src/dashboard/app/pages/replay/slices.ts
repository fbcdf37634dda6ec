import { useCallback, useEffect, useRef, useState } from "react";
import type { Replayed } from "../../parts/ledger/types.ts";
import { added } from "./sum.ts";

export type Slices = { state: "idle" | "running" | "stopped" | "over"; sum?: Replayed; error?: Error };

type Read = (cursor: string | undefined) => Promise<Replayed>;

/** Adds up slices until the end or a stop. A slice in flight counts, because the bridge still runs it. */
export const readSlices = async (
  read: Read,
  from: Replayed | undefined,
  isStopped: () => boolean,
  onChange: (slices: Slices) => void,
): Promise<void> => {
  let sum = from;
  onChange({ state: "running", ...(sum ? { sum } : {}) });
  try {
    do {
      const slice: Replayed = await read(sum?.next ?? undefined);
      sum = sum ? added(sum, slice) : slice;
      onChange({ state: sum.next === null ? "over" : isStopped() ? "stopped" : "running", sum });
    } while (sum.next !== null && !isStopped());
  } catch (error) {
    onChange({ state: "stopped", error: error as Error, ...(sum ? { sum } : {}) });
  }
};

/** Reads or runs a replay by slices. Stops on unmount. */
export const useSlices = (read: Read) => {
  const [slices, setSlices] = useState<Slices>({ state: "idle" });
  const current = useRef<{ isStopped: boolean }>(undefined);
  const start = useCallback(
    (from?: Replayed) => {
      const run = { isStopped: false };
      current.current = run;
      return readSlices(
        read,
        from,
        () => run.isStopped,
        (next) => {
          // Another run may have replaced this one.
          if (current.current === run) setSlices(next);
        },
      );
    },
    [read],
  );
  const stop = useCallback(() => {
    if (current.current) current.current.isStopped = true;
  }, []);
  useEffect(() => stop, [stop]);
  return { ...slices, start, stop };
};
