import { coverageOf } from "./coverage.ts";
import { outlinesOf } from "./outline.ts";
import { pngOf } from "./png.ts";

/** Pixels: twice the largest icon size, for dense screens. */
const SIZE = 96;
/** Font Awesome uses a square of 640 units; usual icons are 512 high. */
const MIDDLE = 320;
const USUAL = 512;

const CREDIT =
  "Font Awesome Free by Fonticons, Inc., https://fontawesome.com, CC BY 4.0, https://creativecommons.org/licenses/by/4.0/. Drawn as PNG.";

const scaled = (path: string): number[][] => {
  const outlines = outlinesOf(path);
  let side = USUAL;
  for (const outline of outlines) for (const value of outline) side = Math.max(side, 2 * Math.abs(value - MIDDLE));
  return outlines.map((outline) => outline.map((value) => ((value - MIDDLE) / side + 0.5) * SIZE));
};

/** Draws an icon as PNG in one color (`808080`). */
export const drawIcon = (path: string, color: string): Promise<Uint8Array<ArrayBuffer>> =>
  pngOf(
    coverageOf(scaled(path), SIZE),
    [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16)),
    CREDIT,
  );
