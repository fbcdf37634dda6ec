import { useEffect, useRef } from "react";
import type { NavEntry } from "../parts/page/navigation.ts";

/** Milliseconds to wait for the second key after `g`. */
const WAIT = 1_500;
const OFF = "mailspan-keys-off";

export const keysAreOn = (): boolean => localStorage.getItem(OFF) === null;
export const switchKeys = (on: boolean): void => (on ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1"));

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

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
      }
    };
    // Runs before the keys of the page and of lists.
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, [entries, go, help]);
};

/** Binds a single key, except during typing, in dialogs, or when single keys are off. */
export const useKey = (key: string, act: () => void) => {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Alt with a letter is a browser shortcut. Some keyboards need Alt or AltGr for a bracket. AltGr may report
      // Control with Alt.
      const isShortcut = event.metaKey || (event.altKey ? /\w/.test(key) : event.ctrlKey);
      if (event.key !== key || isShortcut || isTyping(event.target) || !keysAreOn()) return;
      if (document.querySelector('[role="dialog"]')) return;
      // Otherwise the letter is typed into the newly focused field.
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [key]);
};

/** Presses the button with this `data-key`. */
export const useButtonKey = (key: string) =>
  useKey(key, () => document.querySelector<HTMLElement>(`main [data-key="${key}"]`)?.click());
