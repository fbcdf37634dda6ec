import type { Settings } from "./form/mapping.ts";

const keyOf = (importId: string): string => `mailspan-import ${importId}`;

/** Keeps import settings in the tab until the start. */
export const keepSettings = (importId: string, settings: Settings): void => {
  try {
    sessionStorage.setItem(keyOf(importId), JSON.stringify(settings));
  } catch {
    // Storage failed: a reload shows the service's guess.
  }
};

export const keptSettings = (importId: string): Settings | undefined => {
  try {
    const kept = sessionStorage.getItem(keyOf(importId));
    return kept === null ? undefined : (JSON.parse(kept) as Settings);
  } catch {
    return undefined;
  }
};
