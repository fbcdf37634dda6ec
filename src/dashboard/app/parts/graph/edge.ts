import { type At, type Box, isForkType, type Layout, type Nodes } from "./layout.ts";

/** Pixels: corner of an edge, and from the end of a step to a bend and to the middle of a `+`. */
const CORNER = 18;
const BEND = 24;
const PLUS = 20;

/** Half the height of a row that an edge passes. */
const ROW = 30;

/** An edge as a path. `plus`: middle of its `+`. */
export type Edge = { from: string; to: string; path: string; plus: At };

const bent = (a: At, b: At, y: number): string => {
  if (a.x === b.x) return `V${b.y}`;
  const side = Math.sign(b.x - a.x);
  const r = Math.max(0, Math.min(CORNER, Math.abs(b.x - a.x) / 2, y - a.y, b.y - y));
  return `V${y - r}Q${a.x} ${y} ${a.x + side * r} ${y}H${b.x - side * r}Q${b.x} ${y} ${b.x} ${y + r}V${b.y}`;
};

const middleOf = ({ x, width }: Box): number => x + width / 2;

/** All edges of a drawing. Ways part right below their fork, and other edges meet right above their step. */
export const edgesOf = (nodes: Nodes, { boxes, passed }: Layout): Edge[] =>
  Object.entries(nodes).flatMap(([from, { typeName, nextNodeIds }]) =>
    nextNodeIds.flatMap((to) => {
      const [start, end] = [boxes.get(from), boxes.get(to)];
      if (!start || !end) return [];
      const isWay = isForkType(typeName);
      const rows = passed.get(`${from} ${to}`) ?? [];
      const [first, last] = [
        { x: middleOf(start), y: start.y + start.height },
        { x: middleOf(end), y: end.y },
      ];
      const points = [
        first,
        ...rows.flatMap(({ x, y }) => [
          { x, y: y - ROW },
          { x, y: y + ROW },
        ]),
        last,
      ];
      const parts = points.slice(1).map((point, n) => {
        const before = points[n] as At;
        return bent(before, point, isWay && n === 0 ? before.y + BEND / 2 : point.y - BEND);
      });
      const above = {
        x: first.x,
        y: first.x === points[1]?.x && !rows.length ? (first.y + last.y) / 2 : first.y + PLUS,
      };
      const below = rows[0] ?? { x: last.x, y: last.y - PLUS };
      return [{ from, to, path: `M${first.x} ${first.y}${parts.join("")}`, plus: isWay ? below : above }];
    }),
  );

/** The place right above a step where several edges meet. */
export const meetingAbove = ({ x, y, width }: Box): At => ({ x: x + width / 2, y: y - BEND });
