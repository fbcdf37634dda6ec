import { Group, Text } from "@mantine/core";
import { type PointerEvent, useState } from "react";
import { type Column, rangeOf, sumOf } from "./columns.ts";
import type { Series } from "./series.ts";

const HEIGHT = 64;
const BAR = 8;

/** `when` of a column, in the person's own time. */
const timeOf = (at: number): string =>
  new Date(at).toLocaleString(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });

/** One path per series: a bar for each column, on top of the series below. */
const pathsOf = (columns: readonly Column[], series: readonly Series[]): string[] => {
  const totals = columns.map(({ counts }) => series.reduce((sum, { name }) => sum + (counts[name] ?? 0), 0));
  const most = Math.max(1, ...totals);
  const tops = columns.map(() => HEIGHT);
  return series.map(({ name }) =>
    columns
      .map(({ counts }, index) => {
        const count = counts[name] ?? 0;
        if (count === 0) return "";
        const bottom = tops[index] ?? HEIGHT;
        // The least that can be seen.
        const height = Math.min(bottom, Math.max(2, (count / most) * HEIGHT));
        tops[index] = bottom - height;
        return `M${index * BAR} ${bottom}v${-height}h${BAR - 1}v${height}z`;
      })
      .join(""),
  );
};

/**
 * Bars over time. A click on a bar, or a drag over several, gives their time to `onSelect`. The same filters have fields of their own, so
 * that a keyboard reaches them.
 */
export const Histogram = ({
  columns,
  series,
  label,
  onSelect,
}: {
  columns: readonly Column[];
  series: readonly Series[];
  label: string;
  onSelect?: (range: { since: string; until: string }) => void;
}) => {
  const [from, setFrom] = useState<number>();
  const [over, setOver] = useState<number>();
  const width = columns.length * BAR;
  const indexOf = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>): number => {
    const { left, width: wide } = currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(columns.length - 1, Math.floor(((clientX - left) / wide) * columns.length)));
  };
  const onDown = (event: PointerEvent<SVGSVGElement>) => {
    event.currentTarget.setPointerCapture(event.pointerId);
    setFrom(indexOf(event));
  };
  const onUp = (event: PointerEvent<SVGSVGElement>) => {
    if (from !== undefined) onSelect?.(rangeOf(columns, from, indexOf(event)));
    setFrom(undefined);
  };
  const pointed = over === undefined ? undefined : columns[over];
  const said = series.map(({ name, label: what }) => `${sumOf(columns, name)} ${what}`).join(", ");
  const marked =
    from === undefined ? undefined : { at: Math.min(from, over ?? from), to: Math.max(from, over ?? from) };
  return (
    <div>
      <svg
        className={onSelect && "histogram"}
        width="100%"
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: ${said}`}
        onPointerMove={(event) => setOver(indexOf(event))}
        onPointerLeave={() => setOver(undefined)}
        {...(onSelect ? { onPointerDown: onDown, onPointerUp: onUp, onPointerCancel: () => setFrom(undefined) } : {})}
      >
        <rect width={width} height={HEIGHT} fill="transparent" />
        {marked && (
          <rect
            x={marked.at * BAR}
            width={(marked.to - marked.at + 1) * BAR}
            height={HEIGHT}
            fill="var(--mantine-color-indigo-5)"
            opacity={0.25}
          />
        )}
        {pathsOf(columns, series).map((path, index) => (
          <path key={series[index]?.name} d={path} fill={series[index]?.color} />
        ))}
        <line x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} stroke="currentColor" />
      </svg>
      <Group justify="space-between" gap="xs">
        <Text size="xs">{columns[0] && timeOf(columns[0].at)}</Text>
        <Text size="xs">
          {pointed
            ? `${timeOf(pointed.at)}: ${series.map(({ name, label: what }) => `${pointed.counts[name] ?? 0} ${what}`).join(", ")}`
            : said}
        </Text>
        <Text size="xs">{columns.length > 0 && timeOf(columns.at(-1)?.until ?? 0)}</Text>
      </Group>
    </div>
  );
};
