import { useCallback, useRef, useState } from "react";
import { isSame } from "./unsaved-fields.ts";

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
 * State that survives a reload and an expired session in this tab.
 *
 * @param name unique per form and item
 * @returns value, setter, and `clear` for after a save
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
        // A reload loses the draft if storage is unavailable.
      }
    },
    [key],
  );
  const clear = useCallback(() => sessionStorage.removeItem(key), [key]);
  return [value, set, clear];
};

/**
 * Draft of stored data on a page that stays after a save.
 *
 * @param none the draft without changes
 */
export const useEdits = <T>(name: string, none: T) => {
  const [kept, keep, clear] = useDraft(name, none);
  const latest = useRef(kept);
  latest.current = kept;
  const undo = () => {
    keep(none);
    clear();
  };
  /** Delivery after saving `sent`. `left` computes the remaining draft from newer typing. */
  const saved = (sent: T, left: (typed: T) => T) => {
    const { current: typed } = latest;
    if (isSame(typed, sent) || isSame(typed, none)) undo();
    else keep(left(typed));
  };
  return { kept, keep, undo, saved };
};

/** Stores a draft for a form on another page. */
export const keepDraft = (name: string, value: unknown): void => {
  try {
    sessionStorage.setItem(`${KEY} ${name}`, JSON.stringify(value));
  } catch {
    // The browser keeps nothing: that form begins empty.
  }
};

/** Clears all drafts of this tab, because the next login may be another person. */
export const dropDrafts = (): void => {
  const names = Array.from(sessionStorage, (_, n) => sessionStorage.key(n) ?? "");
  for (const name of names) if (/^mailspan-(draft|import) /.test(name)) sessionStorage.removeItem(name);
};

/** Idempotency key, kept in the form's draft. */
export const newKey = (): string => crypto.randomUUID();
