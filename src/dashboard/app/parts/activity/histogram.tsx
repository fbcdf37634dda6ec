import { Group, Text } from "@mantine/core";
import { ownZone } from "../time.ts";
import { type Column, sumOf } from "./columns.ts";
import type { Series } from "./series.ts";
import { useRange } from "./use-range.ts";

const HEIGHT = 64;
const BAR = 8;

const MINUTE = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;

const timeOf = (at: number, timeZone: string): string =>
  new Date(at).toLocaleString(undefined, { timeZone, ...MINUTE });

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
        const height = Math.min(bottom, Math.max(2, (count / most) * HEIGHT));
        tops[index] = bottom - height;
        return `M${index * BAR} ${bottom}v${-height}h${BAR - 1}v${height}z`;
      })
      .join(""),
  );
};

/**
 * Bar chart over time. Click or drag selects a range for `onSelect`. Keys: arrows move, Shift extends, Enter selects.
 */
export const Histogram = ({
  columns,
  zone,
  series,
  label,
  onSelect,
}: {
  columns: readonly Column[];
  /** Time zone of the times. */
  zone: string;
  series: readonly Series[];
  label: string;
  onSelect?: (range: { since: string; until: string }) => void;
}) => {
  const { over, marked, hearing } = useRange(columns, onSelect);
  const width = columns.length * BAR;
  const inWords = (column: Column | undefined): string =>
    column === undefined
      ? ""
      : `${timeOf(column.at, zone)}: ${series.map(({ name, label: what }) => `${column.counts[name] ?? 0} ${what}`).join(", ")}`;
  const said = series.map(({ name, label: what }) => `${sumOf(columns, name)} ${what}`).join(", ");
  const last = columns.length - 1;
  const slider = {
    role: "slider",
    tabIndex: 0,
    "aria-valuemin": 0,
    "aria-valuemax": last,
    "aria-valuenow": over ?? last,
    "aria-valuetext": inWords(columns[over ?? last]),
  };
  return (
    <div>
      <svg
        className={onSelect && "histogram"}
        width="100%"
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-label={`${label}: ${said}`}
        {...(onSelect && last >= 0 ? slider : { role: "img" })}
        {...hearing}
      >
        <rect width={width} height={HEIGHT} fill="transparent" />
        {marked && (
          <rect
            x={marked.at * BAR}
            width={(marked.to - marked.at + 1) * BAR}
            height={HEIGHT}
            fill="var(--c1)"
            opacity={0.25}
          />
        )}
        {pathsOf(columns, series).map((path, index) => (
          <path key={series[index]?.name} d={path} fill={series[index]?.color} />
        ))}
        <line x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} stroke="currentColor" />
      </svg>
      <Group justify="space-between" gap="xs">
        <Text size="xs">
          {columns[0] && timeOf(columns[0].at, zone)}
          {zone !== ownZone() && ` (${zone})`}
        </Text>
        <Text size="xs">{columns.length > 0 && timeOf(columns.at(-1)?.until ?? 0, zone)}</Text>
      </Group>
      <Text size="xs" ta="center">
        {over === undefined ? said : inWords(columns[over])}
      </Text>
    </div>
  );
};
