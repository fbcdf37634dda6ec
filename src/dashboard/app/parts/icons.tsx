import { type IconName, PATHS } from "./icon-paths.ts";

/** Draws a decorative icon: words stand beside it, or its button has a name. `size`: px. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 20 20"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.6}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
    focusable="false"
    className="icon"
  >
    <path d={PATHS[name]} />
  </svg>
);
