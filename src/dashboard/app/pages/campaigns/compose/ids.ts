import type { Draft } from "./draft.ts";

/** The id of the control of a field: a check leads to it. */
export const idOfField = (name: keyof Draft): string => `campaign-${name}`;
