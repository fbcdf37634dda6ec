/** A histogram series. `name`: key in the counts. The first is at the bottom. */
export type Series = { name: string; label: string; color: string };

export const GOOD = "light-dark(var(--mantine-color-indigo-6), var(--mantine-color-indigo-4))";
export const BAD = "light-dark(var(--mantine-color-red-7), var(--mantine-color-red-5))";
export const GRAY = "light-dark(var(--mantine-color-gray-6), var(--mantine-color-gray-5))";
