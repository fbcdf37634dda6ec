import type { At, Nodes } from "./layout.ts";

type Places = ReadonlyMap<string, At & { width: number; height: number }>;

const middle = (places: Places, id: string): At => {
  const { x = 0, y = 0, width = 0, height = 0 } = places.get(id) ?? {};
  return { x: x + width / 2, y: y + height / 2 };
};

const nearest = (places: Places, from: string, among: readonly string[]): string | undefined => {
  const distance = (id: string) => Math.abs(middle(places, id).x - middle(places, from).x);
  return among.toSorted((a, b) => distance(a) - distance(b))[0];
};

const beside = (places: Places, from: string, side: 1 | -1): string | undefined => {
  const own = middle(places, from);
  const row = [...places.keys()].filter((id) => {
    const { x, y } = middle(places, id);
    return y === own.y && Math.sign(x - own.x) === side;
  });
  return nearest(places, from, row);
};

/** Next step for a key, or undefined. Up and down follow edges; left and right stay in the row. */
export const walk = (nodes: Nodes, places: Places, from: string, key: string): string | undefined => {
  const ids = Object.keys(nodes);
  switch (key) {
    case "ArrowDown":
      return nearest(places, from, [...(nodes[from]?.nextNodeIds ?? [])]);
    case "ArrowUp":
      return nearest(
        places,
        from,
        ids.filter((id) => nodes[id]?.nextNodeIds.includes(from)),
      );
    case "ArrowLeft":
      return beside(places, from, -1);
    case "ArrowRight":
      return beside(places, from, 1);
    case "Home":
      return ids.find((id) => !ids.some((one) => nodes[one]?.nextNodeIds.includes(id)));
    case "End":
      return ids.find((id) => nodes[id]?.nextNodeIds.length === 0);
    default:
      return undefined;
  }
};
