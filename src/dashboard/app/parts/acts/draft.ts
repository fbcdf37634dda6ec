import { useCallback, useState } from "react";

const KEY = "mailspan-draft";

const read = <T>(key: string, initial: T): T => {
  try {
    const kept = sessionStorage.getItem(key);
    return kept === null ? initial : (JSON.parse(kept) as T);
  } catch {
    return initial;
  }
};

/**
 * State that survives a reload and a login, until it is cleared. It stays in this tab.
 *
 * @param name unique among the forms, with the id of what is edited
 * @returns the value, a setter, and `clear` for after the save
 */
export const useDraft = <T>(name: string, initial: T): [T, (value: T) => void, () => void] => {
  const key = `${KEY} ${name}`;
  const [value, setValue] = useState(() => read(key, initial));
  const set = useCallback(
    (next: T) => {
      setValue(next);
      try {
        sessionStorage.setItem(key, JSON.stringify(next));
      } catch {
        // The browser keeps nothing: the form works, but a reload empties it.
      }
    },
    [key],
  );
  const clear = useCallback(() => sessionStorage.removeItem(key), [key]);
  return [value, set, clear];
};

/** Keeps a draft for a form that another page shows. */
export const keepDraft = (name: string, value: unknown): void => {
  try {
    sessionStorage.setItem(`${KEY} ${name}`, JSON.stringify(value));
  } catch {
    // The browser keeps nothing: that form begins empty.
  }
};

/** A new key for a request that has to be made once. It belongs to the draft of the form that sends it. */
export const newKey = (): string => crypto.randomUUID();
