import { useEffect, useRef } from "react";
import type { Place } from "./navigation.ts";

/** How long after `g` the letter of a page may come, in ms. */
const WAIT = 1_500;
const OFF = "mailspan-keys-off";

export const keysAreOn = (): boolean => localStorage.getItem(OFF) === null;
export const switchKeys = (on: boolean): void => (on ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1"));

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Single keys: `g` and a letter for a page, `/` for the search of a list, `?` for help. A person can switch them off. */
export const useKeys = (places: readonly Place[], go: (to: string) => void, help: () => void) => {
  useEffect(() => {
    let since = 0;
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target) || !keysAreOn()) return;
      if (document.querySelector('[role="dialog"]')) return;
      const { key } = event;
      if (Date.now() - since < WAIT) {
        since = 0;
        // The letter is no key of the page.
        event.stopPropagation();
        const place = places.find((one) => one.key === key);
        if (place) go(place.to);
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
    // Before the keys of the page, and of a list on it.
    addEventListener("keydown", onKey, true);
    return () => removeEventListener("keydown", onKey, true);
  }, [places, go, help]);
};

/** A single key of one page. It does nothing while a person types, while a dialog is open, or where single keys are off. */
export const useKey = (key: string, act: () => void) => {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A letter with Alt is a shortcut of the browser. A bracket needs Alt or AltGr on some keyboards; AltGr may be Control with Alt.
      const isShortcut = event.metaKey || (event.altKey ? /\w/.test(key) : event.ctrlKey);
      if (event.key !== key || isShortcut || isTyping(event.target) || !keysAreOn()) return;
      if (document.querySelector('[role="dialog"]')) return;
      // The letter does not go into a field that gets the focus by it.
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [key]);
};

/** A single key that presses the button of the page with this `data-key`. */
export const useButtonKey = (key: string) =>
  useKey(key, () => document.querySelector<HTMLElement>(`main [data-key="${key}"]`)?.click());
