import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/** Has the browser ask before it closes a tab with unsaved work. Inside of the dashboard a draft stays, so nothing is asked. */
export const useLeaveGuard = (isUnsaved: boolean): void => {
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => isUnsaved });
};

/** ⌘S or Ctrl-S presses the button of the page with `data-save`. Unlike a single key it works while a person types. */
export const useSaveKey = (): void => {
  const pressed = useRef((event: KeyboardEvent) => {
    if (event.key !== "s" || event.altKey || event.shiftKey || !(event.metaKey || event.ctrlKey)) return;
    // The browser would save the page.
    event.preventDefault();
    if (document.querySelector('[role="dialog"]')) return;
    document.querySelector<HTMLElement>("main [data-save]")?.click();
  });
  useEffect(() => {
    const { current } = pressed;
    addEventListener("keydown", current);
    return () => removeEventListener("keydown", current);
  }, []);
};
