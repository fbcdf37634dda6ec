import { useEffect, useRef } from "react";

/** Calls `look` every `ms` with Unix ms while the tab is visible. */
export const useEvery = (ms: number, look: (now: number) => void): void => {
  const latest = useRef(look);
  latest.current = look;
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) latest.current(Date.now());
    }, ms);
    return () => clearInterval(timer);
  }, [ms]);
};
