import { coverageOf } from "./coverage.ts";
import { outlinesOf } from "./outline.ts";
import { pngOf } from "./png.ts";

/** Width and height of a picture, in pixels: twice the largest size of an icon in a mail, so that dense screens show it sharply. */
const SIZE = 96;
/** Font Awesome draws on a square of 640 units. A usual icon is 512 high, in its middle. */
const MIDDLE = 320;
const USUAL = 512;

const CREDIT =
  "Font Awesome Free by Fonticons, Inc., https://fontawesome.com, CC BY 4.0, https://creativecommons.org/licenses/by/4.0/. Drawn as PNG.";

/** The part of a path that a picture shows: a square around the middle, larger if the icon is. */
const scaled = (path: string): number[][] => {
  const outlines = outlinesOf(path);
  let side = USUAL;
  for (const outline of outlines) for (const value of outline) side = Math.max(side, 2 * Math.abs(value - MIDDLE));
  return outlines.map((outline) => outline.map((value) => ((value - MIDDLE) / side + 0.5) * SIZE));
};

/** An icon as PNG in one colour (`808080`). */
export const drawIcon = (path: string, color: string): Promise<Uint8Array<ArrayBuffer>> =>
  pngOf(
    coverageOf(scaled(path), SIZE),
    [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16)),
    CREDIT,
  );
