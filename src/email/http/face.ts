import { raw } from "hono/html";

const COLORS = {
  canvas: ["#f2f5f5", "#0a0f11"],
  surface: ["#ffffff", "#11181a"],
  sunken: ["#f7f9f9", "#0d1416"],
  hover: ["#eff3f3", "#192326"],
  line: ["#e2e8e8", "#222e31"],
  "line-strong": ["#c9d2d3", "#354549"],
  "field-line": ["#848f92", "#6a7c81"],
  ink: ["#0f1a1d", "#e8eff0"],
  "ink-2": ["#3f4e53", "#b4c2c5"],
  "ink-3": ["#5a696e", "#91a2a6"],
  accent: ["#0b6578", "#5cc3d6"],
  "on-accent": ["#ffffff", "#04181d"],
  link: ["#0a5b6d", "#6fcbdc"],
  "accent-soft": ["#e0f0f3", "#0f2b32"],
  good: ["#17703f", "#6bcf95"],
  "good-soft": ["#e3f4ea", "#10281c"],
  warn: ["#8a5200", "#e9b45c"],
  bad: ["#b3261e", "#ff8f86"],
} as const;

/** The ground on which colored words have the least contrast, in each scheme. */
export const GROUND = { light: COLORS.canvas[0], dark: COLORS.surface[1] } as const;

/** Declarations for `:root` of the colors of all pages of this Worker, light and dark. */
export const TOKENS = `color-scheme:light dark;${Object.entries(COLORS)
  .map(([name, [light, dark]]) => `--${name}:light-dark(${light},${dark})`)
  .join(";")}`;

const PATHS = '<path d="M9 22.5V9.5c1.7 4.5 4.2 6.8 7 6.8s5.3-2.3 7-6.8v13"/><path d="M4.8 22.5h22.4"/></g></svg>';

/** The emblem of Mailspan as a file of its own. */
export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6578"/><g fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round">${PATHS}`;

/** The emblem within a page, in the colors of its scheme. */
export const EMBLEM = raw(
  `<svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true"><rect width="32" height="32" rx="8" fill="var(--accent)"/><g fill="none" stroke="var(--on-accent)" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round">${PATHS}`,
);
