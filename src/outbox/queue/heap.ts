/** A binary min-heap by `order`; `push` and `pop` cost O(log n). */
export type Heap<T> = { readonly order: (a: T, b: T) => number; readonly list: T[] };

export const createHeap = <T>(order: (a: T, b: T) => number): Heap<T> => ({ order, list: [] });

export const push = <T>({ order, list }: Heap<T>, value: T): void => {
  let at = list.length;
  list.push(value);
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (order(list[above] as T, value) <= 0) break;
    list[at] = list[above] as T;
    at = above;
  }
  list[at] = value;
};

export const peek = <T>({ list }: Heap<T>): T | undefined => list[0];

export const pop = <T>({ order, list }: Heap<T>): T | undefined => {
  const first = list[0];
  const last = list.pop();
  if (list.length === 0 || last === undefined) return first;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= list.length) break;
    if (below + 1 < list.length && order(list[below + 1] as T, list[below] as T) < 0) below++;
    if (order(last, list[below] as T) <= 0) break;
    list[at] = list[below] as T;
    at = below;
  }
  list[at] = last;
  return first;
};

export const keepOnly = <T>(heap: Heap<T>, condition: (value: T) => boolean): void => {
  const kept = heap.list.filter(condition);
  heap.list.length = 0;
  for (const value of kept) push(heap, value);
};
