/** `any`: by chance, at each start of an object and for each request. */
export type Version = "older" | "newer" | "any";
export type Order = { version: Version; objects: readonly (readonly [binding: string, name: string])[] };
/** Starts of objects by class and version: "Workspace older". */
export type Starts = Record<string, number>;

export const VERSION_HEADER = "x-version";
