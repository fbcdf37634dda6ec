/** A bundle uses dist/conditions.js instead (`[alias]` in wrangler.toml), because bundlers rename functions. */
export const conditions: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
