import type { Workflow } from "../types.ts";
import type { At } from "./layout.ts";

type Shape = Pick<Workflow, "nodes" | "rootNodeId">;

const distance = (positions: ReadonlyMap<string, At>, from: string, to: string): number =>
  Math.abs((positions.get(from)?.x ?? 0) - (positions.get(to)?.x ?? 0));

const nearest = (positions: ReadonlyMap<string, At>, from: string, among: readonly string[]): string | undefined =>
  among.toSorted((a, b) => distance(positions, from, a) - distance(positions, from, b))[0];

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

/** Next node for a key, or undefined. Up and down follow edges; left and right stay in the row. */
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
