import { useEffect, useRef } from "react";

/** Looks at something every `ms` with the time of the browser, Unix ms, while the page is looked at. Hidden tabs do not look. */
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
