import type { Shown } from "../read.ts";

/** The edits of a workflow as a whole: its name, its mailing list, its deletion. */
export const EditHead = (_: Shown) => null;
