import type { Outline } from "./outline.ts";

/**
 * Returns the pixel coverage of closed lines, 0 to 1 by row. Each line adds a signed area, so holes subtract.
 * Coordinates must fit in `size` pixels.
 */
export const coverageOf = (outlines: readonly Outline[], size: number): Float32Array => {
  // A line may be at the right edge.
  const stride = size + 2;
  const changes = new Float32Array(stride * size);
  for (const outline of outlines) {
    let [x0, y0] = outline.slice(-2) as [number, number];
    for (let at = 0; at < outline.length; at += 2) {
      const [x1, y1] = [outline[at] ?? 0, outline[at + 1] ?? 0];
      addLine(changes, stride, x0, y0, x1, y1);
      [x0, y0] = [x1, y1];
    }
  }
  const covered = new Float32Array(size * size);
  for (let y = 0; y < size; y++) {
    let sum = 0;
    for (let x = 0; x < size; x++) {
      sum += changes[y * stride + x] ?? 0;
      covered[y * size + x] = Math.min(1, Math.abs(sum));
    }
  }
  return covered;
};

/** The pixel gets the area right of the line, the next one the remaining height. */
const addLine = (changes: Float32Array, stride: number, x0: number, y0: number, x1: number, y1: number): void => {
  if (y0 === y1) return;
  const direction = y0 < y1 ? 1 : -1;
  const [top, bottom, topX, bottomX] = y0 < y1 ? [y0, y1, x0, x1] : [y1, y0, x1, x0];
  const slope = (bottomX - topX) / (bottom - top);
  for (let row = Math.floor(top); row < bottom; row++) {
    const from = Math.max(row, top);
    const to = Math.min(row + 1, bottom);
    const one = topX + (from - top) * slope;
    const other = topX + (to - top) * slope;
    const [left, right] = one < other ? [one, other] : [other, one];
    const last = Math.max(Math.floor(left), Math.ceil(right) - 1);
    for (let column = Math.floor(left); column <= last; column++) {
      const [start, end] = [Math.max(left, column), Math.min(right, column + 1)];
      const height = direction * (right > left ? ((to - from) * (end - start)) / (right - left) : to - from);
      const share = (start + end) / 2 - column;
      const index = row * stride + column;
      changes[index] = (changes[index] ?? 0) + height * (1 - share);
      changes[index + 1] = (changes[index + 1] ?? 0) + height * share;
    }
  }
};
