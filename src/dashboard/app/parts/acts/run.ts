import { useCallback, useEffect, useRef, useState } from "react";

/** How far an act on many things has come. `refused`: how many were refused, by message. */
export type Progress = {
  total: number;
  done: number;
  refused: Record<string, number>;
  state: "running" | "stopped" | "over";
};

/** How many were handled, whatever came out. */
export const handledIn = ({ done, refused }: Progress): number =>
  done + Object.values(refused).reduce((sum, count) => sum + count, 0);

/**
 * Does something for many items, one after the other. A refusal of one is counted, and the others go on.
 * A failure that would meet all of them (no answer, the session has ended) stops the run, and is in `error`. Without its page it stops.
 */
export const useRun = <T>(act: (item: T) => Promise<unknown>, isOfOne: (error: unknown) => string | undefined) => {
  const [progress, setProgress] = useState<Progress>();
  const [error, setError] = useState<Error>();
  const stopped = useRef(false);
  const start = useCallback(
    async (items: readonly T[]) => {
      stopped.current = false;
      setError(undefined);
      let now: Progress = { total: items.length, done: 0, refused: {}, state: "running" };
      setProgress(now);
      for (const item of items) {
        if (stopped.current) break;
        try {
          await act(item);
          now = { ...now, done: now.done + 1 };
        } catch (caught) {
          const why = isOfOne(caught);
          if (why === undefined) {
            setError(caught as Error);
            stopped.current = true;
            break;
          }
          now = { ...now, refused: { ...now.refused, [why]: (now.refused[why] ?? 0) + 1 } };
        }
        setProgress(now);
      }
      setProgress({ ...now, state: stopped.current ? "stopped" : "over" });
    },
    [act, isOfOne],
  );
  const stop = useCallback(() => {
    stopped.current = true;
  }, []);
  useEffect(() => stop, [stop]);
  const clear = useCallback(() => {
    setProgress(undefined);
    setError(undefined);
  }, []);
  return { progress, error, start, stop, clear };
};
