import type { Column } from "./columns.ts";

/** A series. `name`: key in the counts. The first is at the bottom of bars. `tone`: a color token of charts. */
export type Series = { name: string; label: string; tone: "c1" | "c2" | "c3" | "c-quiet" | "c-bad" };

const STEPS = [1, 2, 5, 10];

/** Three to five round ticks from 0 to at least `most`, of whole numbers. */
export const ticksOf = (most: number): number[] => {
  const rough = Math.max(1, most) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = STEPS.find((step) => step * power >= rough) ?? 10;
  const step = Math.max(1, Math.round(factor * power));
  const count = Math.max(2, Math.ceil(Math.max(1, most) / step));
  return Array.from({ length: count + 1 }, (_, n) => n * step);
};

export const countIn = ({ counts }: Pick<Column, "counts">, { name }: Pick<Series, "name">): number =>
  counts[name] ?? 0;

/** The highest value: of stacked bars the sums, of lines each value. */
export const mostIn = (columns: readonly Column[], series: readonly Series[], isStacked: boolean): number =>
  Math.max(
    0,
    ...columns.map((column) => {
      const counts = series.map((one) => countIn(column, one));
      const sum = counts.reduce((total, count) => total + count, 0);
      return isStacked ? Math.max(sum, column.expected ?? 0) : Math.max(0, ...counts);
    }),
  );

/** SVG path of a line in a box of 100 × 100, through the middle of the columns. */
export const linePath = (values: readonly number[], top: number): string =>
  values
    .map((value, n) => {
      const x = ((n + 0.5) / values.length) * 100;
      return `${n === 0 ? "M" : "L"}${x.toFixed(2)} ${(100 - (value / top) * 100).toFixed(2)}`;
    })
    .join("");

/** The times below an axis, Unix ms: begins of at most four columns, each once, and the end. */
export const timesOf = (columns: readonly Column[]): number[] => {
  const places = Math.min(4, columns.length);
  const begins = Array.from({ length: places }, (_, n) => columns[Math.floor((n * columns.length) / places)]?.at ?? 0);
  return [...begins, ...columns.slice(-1).map(({ until }) => until)];
};

const DAY = { month: "short", day: "numeric" } as const;
const CLOCK = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;
const SECOND = { second: "2-digit" } as const;
const HOUR = 3_600_000;
const TWO_DAYS = 48 * HOUR;

/** Text of an axis: the time of the day, with the weekday above a day, or the day above two. */
export const axisText = (at: number, columns: readonly Column[], timeZone: string): string => {
  const length = (columns.at(-1)?.until ?? 0) - (columns[0]?.at ?? 0);
  const clock = length < HOUR / 12 ? { ...CLOCK, ...SECOND } : CLOCK;
  const time = new Date(at).toLocaleString("en", { timeZone, ...(length > TWO_DAYS ? DAY : clock) });
  if (length > TWO_DAYS || length <= 26 * HOUR) return time;
  return `${new Date(at).toLocaleString("en", { timeZone, weekday: "short" })} ${time}`;
};

/** The time of a column in words: "Nov 28, 14:00 – 15:00". */
export const columnText = ({ at, until }: Pick<Column, "at" | "until">, timeZone: string): string => {
  const day = (time: number) => new Date(time).toLocaleString("en", { timeZone, ...DAY });
  const second = until - at < 60_000 ? SECOND : {};
  const clock = (time: number) => new Date(time).toLocaleString("en", { timeZone, ...CLOCK, ...second });
  if (until - at > TWO_DAYS / 4) return day(at) === day(until - 1) ? day(at) : `${day(at)} – ${day(until - 1)}`;
  return `${day(at)}, ${clock(at)} – ${clock(until)}`;
};
