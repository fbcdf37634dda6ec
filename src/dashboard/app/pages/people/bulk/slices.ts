import { useCallback, useEffect, useRef, useState } from "react";

export type Slice = {
  contacts: number;
  changed: number;
  unchanged: readonly { reason: string; count: number }[];
  next: string | null;
};

/** Sum of slices. `unchanged`: counts by reason. `next`: cursor, null at the end. */
export type Sum = {
  contacts: number;
  changed: number;
  unchanged: Readonly<Record<string, number>>;
  next: string | null;
};

/** Adds a slice to a sum. */
export const added = (sum: Sum | undefined, { contacts, changed, unchanged, next }: Slice): Sum => {
  const reasons = { ...sum?.unchanged };
  for (const { reason, count } of unchanged) reasons[reason] = (reasons[reason] ?? 0) + count;
  return {
    contacts: (sum?.contacts ?? 0) + contacts,
    changed: (sum?.changed ?? 0) + changed,
    unchanged: reasons,
    next,
  };
};

/** Number of checked contacts, changed or not. */
export const handledIn = ({ changed, unchanged }: Sum): number =>
  changed + Object.values(unchanged).reduce((all, count) => all + count, 0);

type State = { state: "idle" | "running" | "stopped" | "over"; sum?: Sum; error?: Error };

/** Requests slice by slice, with stop and resume. Stops on unmount. */
export const useSlices = (read: (cursor: string | undefined) => Promise<Slice>) => {
  const [state, setState] = useState<State>({ state: "idle" });
  const run = useRef(0);
  const start = useCallback(
    async (from?: Sum) => {
      const mine = ++run.current;
      let sum = from;
      setState({ state: "running", ...(sum ? { sum } : {}) });
      try {
        do {
          const slice = await read(sum?.next ?? undefined);
          sum = added(sum, slice);
          const isStopped = run.current !== mine;
          setState({ state: isStopped ? "stopped" : sum.next === null ? "over" : "running", sum });
          if (isStopped) return;
        } while (sum.next !== null);
      } catch (error) {
        setState({ state: "stopped", error: error as Error, ...(sum ? { sum } : {}) });
      }
    },
    [read],
  );
  const stop = useCallback(() => {
    run.current++;
    setState((now) => ({ ...now, state: "stopped" }));
  }, []);
  useEffect(() => stop, [stop]);
  return { ...state, start, stop };
};
