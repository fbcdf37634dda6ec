import { useCallback, useEffect, useRef, useState } from "react";

/** Progress of a bulk action. `refused`: counts by message. */
export type Progress = {
  total: number;
  done: number;
  refused: Record<string, number>;
  state: "running" | "stopped" | "over";
};

export const handledIn = ({ done, refused }: Progress): number =>
  done + Object.values(refused).reduce((sum, count) => sum + count, 0);

/**
 * Runs an action on items one by one. Refusals of single items are counted.
 * A general failure (no answer, ended session) stops the run with `error`, as does an unmount.
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
