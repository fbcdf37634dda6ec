import type { Settings } from "./form/mapping.ts";

const keyOf = (importId: string): string => `mailspan-import ${importId}`;

/** Keeps the settings of an import in this tab until it is started: they come back after a reload. */
export const keepSettings = (importId: string, settings: Settings): void => {
  try {
    sessionStorage.setItem(keyOf(importId), JSON.stringify(settings));
  } catch {
    // The browser keeps nothing: after a reload the service's guess stands.
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
