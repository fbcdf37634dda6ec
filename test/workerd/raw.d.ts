/** A file as text, as Vite imports it. */
declare module "*?raw" {
  const text: string;
  export default text;
}

interface ImportMeta {
  /** Files by their paths, as Vite imports them. */
  glob<T>(pattern: string, options: { import: string; query?: string }): Record<string, () => Promise<T>>;
}
