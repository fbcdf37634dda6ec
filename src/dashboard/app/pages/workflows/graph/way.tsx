import { BaseEdge, type Edge, type EdgeProps } from "@xyflow/react";
import { type At, NODE } from "./layout.ts";

/** An edge. `passed`: passed rows. `meets`: shared end. `isOnly`: single start. */
export type WayEdge = Edge<{ passed: readonly At[]; meets: boolean; isOnly: boolean }, "way">;

const OFF = 14;

const bend = (from: At, to: At): string => {
  const middle = (from.y + to.y) / 2;
  return `C ${from.x} ${middle} ${to.x} ${middle} ${to.x} ${to.y}`;
};

const labelAt = (from: At, to: At, { passed, meets, isOnly }: WayEdge["data"] & object): At => {
  if (!meets) return { x: to.x, y: to.y - OFF };
  const own = passed[0];
  if (own) return own;
  return isOnly ? { x: from.x, y: from.y + OFF } : { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
};

export const Way = ({ sourceX, sourceY, targetX, targetY, label, data }: EdgeProps<WayEdge>) => {
  const given = data ?? { passed: [], meets: false, isOnly: true };
  const from = { x: sourceX, y: sourceY };
  const to = { x: targetX, y: targetY };
  const ends = given.passed.flatMap(({ x, y }) => [
    { x, y: y - NODE.height / 2 },
    { x, y: y + NODE.height / 2 },
  ]);
  const points = [from, ...ends, to];
  const parts = points.slice(1).map((point, index) => bend(points[index] as At, point));
  const { x, y } = labelAt(from, to, given);
  return <BaseEdge path={[`M ${from.x} ${from.y}`, ...parts].join(" ")} label={label} labelX={x} labelY={y} />;
};
