import { useCallback, useRef, useState } from "react";
import { isSame } from "./kept.ts";

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
 * State that survives a reload and an expired session, until it is cleared. It stays in this tab.
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

/**
 * A draft of something that is stored already, on a page that stays after a save.
 *
 * @param none the draft of a person who has changed nothing
 */
export const useEdits = <T>(name: string, none: T) => {
  const [kept, keep, clear] = useDraft(name, none);
  const latest = useRef(kept);
  latest.current = kept;
  const undo = () => {
    keep(none);
    clear();
  };
  /** After a save of `sent`. What was typed during the save stays a draft: `left` gives it over what is stored now. */
  const saved = (sent: T, left: (typed: T) => T) => {
    const { current: typed } = latest;
    if (isSame(typed, sent) || isSame(typed, none)) undo();
    else keep(left(typed));
  };
  return { kept, keep, undo, saved };
};

/** Keeps a draft for a form that another page shows. */
export const keepDraft = (name: string, value: unknown): void => {
  try {
    sessionStorage.setItem(`${KEY} ${name}`, JSON.stringify(value));
  } catch {
    // The browser keeps nothing: that form begins empty.
  }
};

/** Forgets all drafts of this tab. The next person who logs in here is another one, perhaps. */
export const forgetDrafts = (): void => {
  const names = Array.from(sessionStorage, (_, n) => sessionStorage.key(n) ?? "");
  for (const name of names) if (/^mailspan-(draft|import) /.test(name)) sessionStorage.removeItem(name);
};

/** A new key for a request that has to be made once. It belongs to the draft of the form that sends it. */
export const newKey = (): string => crypto.randomUUID();
