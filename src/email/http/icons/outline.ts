/** A closed line: x, y, x, y … */
export type Outline = number[];

/** Maximum curve error in path units. */
const TOLERANCE = 0.25;
const MAX_PIECES = 64;

const COUNTS: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };
const COMMAND = /([MLHVCSQTAZ])([^MLHVCSQTAZ]*)/gi;
const NUMBER = /-?(?:\d+\.?\d*|\.\d+)/g;

/** Parses an SVG path (SVG 2, section 9.3) to polygons. Arc flags must be separated; exponents are unsupported. */
export const outlinesOf = (path: string): Outline[] => {
  const outlines: Outline[] = [];
  let outline: Outline = [];
  let [x, y] = [0, 0];
  let [cx, cy] = [0, 0];
  let before = "";

  const lineTo = (toX: number, toY: number) => {
    outline.push(toX, toY);
    [x, y] = [toX, toY];
  };
  const curveTo = (x1: number, y1: number, x2: number, y2: number, toX: number, toY: number) => {
    flattenCurve(outline, [x, y, x1, y1, x2, y2, toX, toY]);
    [x, y, cx, cy] = [toX, toY, x2, y2];
  };
  const quadraticTo = (x1: number, y1: number, toX: number, toY: number) => {
    const third = (from: number, control: number) => from + (2 / 3) * (control - from);
    curveTo(third(x, x1), third(y, y1), third(toX, x1), third(toY, y1), toX, toY);
    [cx, cy] = [x1, y1];
  };
  const mirrored = (after: string): [number, number] => (after.includes(before) ? [2 * x - cx, 2 * y - cy] : [x, y]);
  const draw: Readonly<Record<string, (...numbers: number[]) => void>> = {
    M: (toX = 0, toY = 0) => {
      outline = [];
      outlines.push(outline);
      lineTo(toX, toY);
    },
    L: (toX = 0, toY = 0) => lineTo(toX, toY),
    H: (toX = 0) => lineTo(toX, y),
    V: (toY = 0) => lineTo(x, toY),
    C: (x1 = 0, y1 = 0, x2 = 0, y2 = 0, toX = 0, toY = 0) => curveTo(x1, y1, x2, y2, toX, toY),
    S: (x2 = 0, y2 = 0, toX = 0, toY = 0) => curveTo(...mirrored("CS"), x2, y2, toX, toY),
    Q: (x1 = 0, y1 = 0, toX = 0, toY = 0) => quadraticTo(x1, y1, toX, toY),
    T: (toX = 0, toY = 0) => quadraticTo(...mirrored("QT"), toX, toY),
    A: (rx = 0, ry = 0, turn = 0, large = 0, sweep = 0, toX = 0, toY = 0) => {
      flattenArc(outline, [x, y, toX, toY], [rx, ry, turn], large !== 0, sweep !== 0);
      [x, y] = [toX, toY];
    },
    Z: () => lineTo(outline[0] ?? 0, outline[1] ?? 0),
  };

  for (const [, letter = "", rest = ""] of path.matchAll(COMMAND)) {
    const name = letter.toUpperCase();
    const count = COUNTS[name] ?? 0;
    const numbers = rest.match(NUMBER)?.map(Number) ?? [];
    for (let at = 0; at === 0 || at < numbers.length; at += Math.max(1, count)) {
      const taken = numbers.slice(at, at + count);
      // Further pairs after a move are lines.
      const command = name === "M" && at > 0 ? "L" : name;
      draw[command]?.(...(letter === name ? taken : absolute(command, taken, x, y)));
      before = command;
    }
  }
  return outlines;
};

const absolute = (command: string, numbers: readonly number[], x: number, y: number): number[] => {
  const first = command === "A" ? 5 : 0;
  const isVertical = (index: number) => (command === "V" ? true : (index - first) % 2 === 1);
  return numbers.map((value, index) => (index < first ? value : value + (isVertical(index) ? y : x)));
};

type Curve = [x0: number, y0: number, x1: number, y1: number, x2: number, y2: number, x3: number, y3: number];

const flattenCurve = (outline: Outline, [x0, y0, x1, y1, x2, y2, x3, y3]: Curve): void => {
  const bend = Math.max(Math.hypot(x0 - 2 * x1 + x2, y0 - 2 * y1 + y2), Math.hypot(x1 - 2 * x2 + x3, y1 - 2 * y2 + y3));
  // Wang's formula bounds the curve error.
  const pieces = Math.min(MAX_PIECES, Math.max(1, Math.ceil(Math.sqrt((0.75 * bend) / TOLERANCE))));
  for (let piece = 1; piece <= pieces; piece++) {
    const t = piece / pieces;
    const u = 1 - t;
    const [a, b, c, d] = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    outline.push(a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3);
  }
};

/** SVG 2, appendix B.2.4. `turn` is in degrees. */
const flattenArc = (
  outline: Outline,
  [x0, y0, x3, y3]: readonly [number, number, number, number],
  [givenX, givenY, turn]: readonly [number, number, number],
  large: boolean,
  sweep: boolean,
): void => {
  const [sin, cos] = [Math.sin((turn * Math.PI) / 180), Math.cos((turn * Math.PI) / 180)];
  const [halfX, halfY] = [(x0 - x3) / 2, (y0 - y3) / 2];
  const [px, py] = [cos * halfX + sin * halfY, cos * halfY - sin * halfX];
  // The radii grow if they are too small.
  const reach = Math.max(1, Math.hypot(px / givenX, py / givenY));
  const [rx, ry] = [Math.abs(givenX) * reach, Math.abs(givenY) * reach];
  const rest = (rx * ry) ** 2 / ((rx * py) ** 2 + (ry * px) ** 2) - 1;
  const factor = Math.sqrt(Math.max(0, rest)) * (large === sweep ? -1 : 1);
  const [qx, qy] = [(factor * rx * py) / ry, (-factor * ry * px) / rx];
  const start = Math.atan2((py - qy) / ry, (px - qx) / rx);
  let sweepAngle = Math.atan2((-py - qy) / ry, (-px - qx) / rx) - start;
  if (sweep && sweepAngle < 0) sweepAngle += 2 * Math.PI;
  if (!sweep && sweepAngle > 0) sweepAngle -= 2 * Math.PI;
  const step = 2 * Math.acos(Math.max(0, 1 - TOLERANCE / Math.max(rx, ry)));
  const pieces = Math.min(MAX_PIECES, Math.max(1, Math.ceil(Math.abs(sweepAngle) / step)));
  const [centreX, centreY] = [cos * qx - sin * qy + (x0 + x3) / 2, sin * qx + cos * qy + (y0 + y3) / 2];
  for (let piece = 1; piece < pieces; piece++) {
    const angle = start + (sweepAngle * piece) / pieces;
    const [ex, ey] = [rx * Math.cos(angle), ry * Math.sin(angle)];
    outline.push(centreX + cos * ex - sin * ey, centreY + sin * ex + cos * ey);
  }
  outline.push(x3, y3);
};
