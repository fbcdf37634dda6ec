/** A message as a file, imported as its text: `rules` in wrangler.toml, and the loaders of scripts/bundle.ts and vitest. */
declare module "*.lmx" {
  const text: string;
  export default text;
}
