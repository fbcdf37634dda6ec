import { contrast, luminance, withLuminance } from "../../../lib/lmx/draw/color.ts";
import { GROUND } from "../face.ts";

const HEX = /^#[0-9a-f]{6}$/i;

/** WCAG 2, 1.4.3: of words on a button, and of links. */
const LEAST = 4.5;

/** A lighter color is no longer the team's once it is dark enough to be read on white. */
const LIGHTEST = 0.5;

/** Luminances at which any color has the contrast on its ground. */
const WANTED = { light: 0.15, dark: 0.26 } as const;

const onGround = (color: string, scheme: "light" | "dark"): string | undefined => {
  if (contrast(color, GROUND[scheme]) >= LEAST) return color;
  if (scheme === "light" && luminance(color) > LIGHTEST) return undefined;
  return withLuminance(color, WANTED[scheme]);
};

/** Returns declarations for the colors of a team: its own where it can be read, at need darker or lighter, else ink. */
export const brandColors = (color: string | null | undefined): string => {
  const own = color !== null && color !== undefined && HEX.test(color) ? color : undefined;
  const light = own && onGround(own, "light");
  const dark = own && onGround(own, "dark");
  return `--brand:light-dark(${light ?? "#0f1a1d"},${dark ?? "#e8eff0"});--on-brand:light-dark(#fff,#0a0f11)`;
};
