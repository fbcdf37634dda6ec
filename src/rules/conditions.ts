/**
 * Source text of each rule's condition, by source and rule. A bundler renames functions in the code that it writes, so a
 * bundle takes dist/conditions.js in place of this file: see `[alias]` in wrangler.toml. Elsewhere nothing is renamed.
 */
export const conditions: Readonly<Record<string, Readonly<Record<string, string>>>> = {};
