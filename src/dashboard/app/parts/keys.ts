import { useEffect, useRef } from "react";

const OFF = "mailspan-keys-off";

export const keysAreOn = (): boolean => localStorage.getItem(OFF) === null;
export const switchKeys = (on: boolean): void => (on ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "1"));

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

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
