/** A histogram series. `name`: key in the counts. The first is at the bottom. */
export type Series = { name: string; label: string; color: string };

export const GOOD = "var(--c1)";
export const BAD = "var(--c-bad)";
export const GRAY = "var(--c-quiet)";
