import { useEffect } from "react";
import { isTyping, keysAreOn } from "../parts/keys.ts";
import type { NavEntry } from "../parts/page/navigation.ts";

/** Milliseconds to wait for the second key after `g`. */
const WAIT = 1_500;
/** Handles `g` + letter (page), `/` (search) and `?` (help). People can turn them off. */
export const useKeys = (entries: readonly NavEntry[], go: (to: string) => void, help: () => void) => {
  useEffect(() => {
    let since = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || !keysAreOn()) return;
      if (document.querySelector('[role="dialog"]')) return;
      const { key } = event;
      if (Date.now() - since < WAIT) {
        since = 0;
        event.stopPropagation();
        const entry = entries.find((one) => one.key === key);
        if (entry) go(entry.to);
        return;
      }
      if (key === "g") since = Date.now();
      else if (key === "?") help();
      else if (key === "/") {
        const search = document.querySelector<HTMLElement>("[data-search]");
        if (search) event.preventDefault();
        search?.focus();
        // A filter opens.
        if (search instanceof HTMLButtonElement) search.click();
      }
    };
    // Runs before the keys of the page and of lists.
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, [entries, go, help]);
};
