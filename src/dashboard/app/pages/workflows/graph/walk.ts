import type { Workflow } from "../types.ts";
import type { At } from "./layout.ts";

type Shape = Pick<Workflow, "nodes" | "rootNodeId">;

const distance = (positions: ReadonlyMap<string, At>, from: string, to: string): number =>
  Math.abs((positions.get(from)?.x ?? 0) - (positions.get(to)?.x ?? 0));

const nearest = (positions: ReadonlyMap<string, At>, from: string, among: readonly string[]): string | undefined =>
  among.toSorted((a, b) => distance(positions, from, a) - distance(positions, from, b))[0];

/** The next node of the same row to one side. */
const beside = (positions: ReadonlyMap<string, At>, from: string, side: 1 | -1): string | undefined => {
  const own = positions.get(from);
  if (!own) return undefined;
  const row = [...positions].filter(([id, { x, y }]) => id !== from && y === own.y && Math.sign(x - own.x) === side);
  return nearest(
    positions,
    from,
    row.map(([id]) => id),
  );
};

/**
 * The node to which a key leads: down along an edge and up to a node before, the nearest where there are several; left and right in a row; to
 * the first and the last one. Undefined where it leads nowhere.
 */
export const walk = (
  { nodes, rootNodeId }: Shape,
  positions: ReadonlyMap<string, At>,
  from: string,
  key: string,
): string | undefined => {
  switch (key) {
    case "ArrowDown":
      return nearest(positions, from, nodes[from]?.nextNodeIds ?? []);
    case "ArrowUp":
      return nearest(
        positions,
        from,
        Object.keys(nodes).filter((id) => nodes[id]?.nextNodeIds.includes(from)),
      );
    case "ArrowLeft":
      return beside(positions, from, -1);
    case "ArrowRight":
      return beside(positions, from, 1);
    case "Home":
      return rootNodeId;
    case "End":
      return Object.keys(nodes).find((id) => nodes[id]?.typeName === "ExitAction");
    default:
      return undefined;
  }
};
