import { useBlocker } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

/** Warns before a tab with unsaved work closes. Navigation inside keeps drafts. */
export const useLeaveGuard = (isUnsaved: boolean): void => {
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: () => isUnsaved });
};

/** ⌘S or Ctrl-S presses the `data-save` button, even during typing. */
export const useSaveKey = (): void => {
  const pressed = useRef((event: KeyboardEvent) => {
    if (event.key !== "s" || event.altKey || event.shiftKey || !(event.metaKey || event.ctrlKey)) return;
    // Prevents the browser's save dialog.
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
