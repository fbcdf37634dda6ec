import type { Draft } from "./draft.ts";

/** Element id of a field. Checks link to it. */
export const idOfField = (name: keyof Draft): string => `campaign-${name}`;
