import { median } from "../median.ts";
import { atMost, type Figure, withoutBound } from "../outbox/report.ts";
import { judgedOf } from "../scale/measure.ts";
import type { Asked, Tab } from "./tab.ts";

/** `ms` of a request, MB of a page (`heap`). */
const MOST = { ms: 300, heap: 100 };

/** Throws for an unsuccessful answer. */
export const requestFigures = (title: string, asked: readonly Asked[]): Figure[] => {
  const operations = [...Map.groupBy(asked, ({ what }) => what)].map(([what, same]) => {
    const times = same.map(({ ms }) => ms);
    return { what, count: same.length, half: median(times), judged: judgedOf(times), worst: Math.max(...times) };
  });
  const failed = asked.filter(({ status }) => status >= 400);
  if (failed.length > 0)
    throw new Error(`${title}: ${failed.map(({ what, status }) => `${what} ${status}`).join(", ")}`);
  if (asked.length === 0) throw new Error(`${title}: the page has asked nothing.`);
  return operations
    .toSorted((a, b) => b.judged - a.judged)
    .map(({ what, count, half, judged, worst }) =>
      atMost(`${what}: ${count}, median ${half.toFixed(0)}, slowest ${worst.toFixed(0)}`, judged, MOST.ms, 0, " ms"),
    );
};

/** Returns request times and page memory with their bounds. */
export const figuresOf = (
  title: string,
  { asked, largest }: Pick<Tab, "asked" | "largest">,
  heap: number,
): Figure[] => [
  ...requestFigures(title, asked),
  atMost(`${title}: most memory of the tab`, heap, MOST.heap, 0, " MB"),
  withoutBound(atMost("the same before a collection of its garbage", largest.heap, MOST.heap, 0, " MB")),
  withoutBound(atMost("most elements of the document", largest.elements, 0, 0)),
];
