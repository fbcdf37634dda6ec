import "./chart.css";
import { ActionIcon, Table } from "@mantine/core";
import { type ReactNode, useId, useState } from "react";
import { Icon } from "../icons.tsx";
import { ownZone } from "../time.ts";
import { type Column, sumOf } from "./columns.ts";
import { axisText, columnText, countIn, linePath, mostIn, type Series, ticksOf, timesOf } from "./scale.ts";
import { useRange } from "./use-range.ts";

/** More columns than these are 1 px apart. */
const WIDE = 31;
const TITLE = { list: undefined, card: "card", main: "main" } as const;

type Props = {
  /** Name of the counts, such as "Webhooks by hour". */
  title: string;
  columns: readonly Column[];
  series: readonly Series[];
  kind?: "bars" | "lines";
  /** `list`: above a list, without a visible title. */
  size?: "list" | "card" | "main";
  /** Time zone of the times. */
  zone: string;
  /** The same columns of an earlier time. */
  before?: { label: string; values: readonly number[] };
  /** Right of the title, in place of the sums. */
  total?: ReactNode;
  /** Takes a time range. Drag or click chooses it; with keys, Shift extends and Enter takes it. */
  onSelect?: (range: { since: string; until: string }) => void;
};

const numberText = (count: number): string => count.toLocaleString("en");

/** Bars or lines over time, with a read-out and the same numbers as a table. */
export const Chart = (props: Props) => {
  const { title, columns, series, size = "card", total, onSelect } = props;
  const [isTable, setTable] = useState(false);
  const heading = useId();
  // A line is a level, not an amount of its column.
  const sumIn = ({ name }: Series) =>
    numberText(props.kind === "lines" ? (columns.at(-1)?.counts[name] ?? 0) : sumOf(columns, name));
  const sums = series.map((one) => `${sumIn(one)} ${one.label}`).join(", ");
  const [first] = series;
  return (
    <section className="chart" data-size={size} aria-labelledby={heading}>
      <header>
        <h2 id={heading} className={TITLE[size] === undefined ? "hidden-text" : undefined}>
          {title}
        </h2>
        <div className="chart-total">
          {total ??
            (first && (
              <>
                {sumIn(first)} <small>{first.label}</small>
              </>
            ))}
        </div>
        <div className="chart-bar">
          <Legend {...props} />
          {size === "list" && onSelect && !isTable && <span>Drag to choose a time</span>}
          <ActionIcon
            variant="subtle"
            color="gray"
            onClick={() => setTable(!isTable)}
            aria-label={isTable ? "Show as chart" : "Show as table"}
            title={isTable ? "Show as chart" : "Show as table"}
          >
            <Icon name={isTable ? "overview" : "list"} />
          </ActionIcon>
        </div>
      </header>
      {!isTable && <Plot {...props} sums={sums} />}
      <div className={isTable ? "chart-table" : "hidden-text"}>
        <Numbers {...props} />
      </div>
    </section>
  );
};

const Legend = ({ series, before }: Props) =>
  (series.length > 1 || before) && (
    <ul className="chart-legend">
      {series.map(({ name, label, tone }) => (
        <li key={name} data-tone={tone}>
          {label}
        </li>
      ))}
      {before && <li data-tone="c-quiet">{before.label}</li>}
    </ul>
  );

const Numbers = ({ title, columns, series, before, zone }: Props) => (
  <Table aria-label={title}>
    <thead>
      <tr>
        <th scope="col">Time</th>
        {series.map(({ name, label }) => (
          <th key={name} scope="col">
            {label}
          </th>
        ))}
        {before && <th scope="col">{before.label}</th>}
      </tr>
    </thead>
    <tbody>
      {columns.map((column, n) => (
        <tr key={column.at}>
          <th scope="row">{columnText(column, zone)}</th>
          {series.map((one) => (
            <td key={one.name}>{numberText(countIn(column, one))}</td>
          ))}
          {before && <td>{numberText(before.values[n] ?? 0)}</td>}
        </tr>
      ))}
    </tbody>
  </Table>
);

const Plot = ({ title, columns, series, kind = "bars", zone, before, onSelect, sums }: Props & { sums: string }) => {
  const { over, marked, hearing } = useRange(columns, onSelect);
  const isStacked = kind === "bars";
  const ticks = ticksOf(Math.max(mostIn(columns, series, isStacked), ...(before?.values ?? [])));
  const top = ticks.at(-1) ?? 1;
  const percent = (count: number) => `${(100 * count) / top}%`;
  const last = columns.length - 1;
  const shown = columns[over ?? last];
  const inWords = shown && series.map((one) => `${numberText(countIn(shown, one))} ${one.label}`).join(", ");
  return (
    <div className="chart-grid">
      <div className="chart-y" aria-hidden>
        {ticks.toReversed().map((tick) => (
          <span key={tick}>{numberText(tick)}</span>
        ))}
      </div>
      <div
        className="chart-plot"
        data-selects={onSelect && true}
        role="slider"
        tabIndex={0}
        aria-label={`${title}: ${sums}`}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, last)}
        aria-valuenow={Math.max(0, over ?? last)}
        aria-valuetext={shown ? `${columnText(shown, zone)}: ${inWords}` : "No numbers"}
        {...hearing}
      >
        {ticks.map((tick) => (
          <span key={tick} className="chart-line" style={{ bottom: percent(tick) }} />
        ))}
        {marked && (
          <span
            className="chart-range"
            style={{
              left: `${(100 * marked.at) / columns.length}%`,
              right: `${100 - (100 * (marked.to + 1)) / columns.length}%`,
            }}
          />
        )}
        {isStacked && (
          <div className="chart-bars" data-dense={columns.length > WIDE || undefined}>
            {columns.map((column, n) => (
              <Bar key={column.at} column={column} series={series} percent={percent} isOver={n === over} />
            ))}
          </div>
        )}
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {before && <path d={linePath(before.values, top)} data-tone="c-quiet" />}
          {!isStacked &&
            series.toReversed().map((one) => (
              <path
                key={one.name}
                data-tone={one.tone}
                d={linePath(
                  columns.map((column) => countIn(column, one)),
                  top,
                )}
              />
            ))}
          {!isStacked && series[0] && <Fill columns={columns} series={series[0]} top={top} />}
        </svg>
        {over !== undefined && shown && (
          <ReadOut
            column={shown}
            series={series}
            zone={zone}
            at={(over + 0.5) / columns.length}
            before={before && { ...before, value: before.values[over] }}
          />
        )}
      </div>
      <div className="chart-x" aria-hidden>
        {timesOf(columns).map((time) => (
          <span key={time}>{axisText(time, columns, zone)}</span>
        ))}
      </div>
      {zone !== ownZone() && <p className="chart-zone">Times of {zone}</p>}
    </div>
  );
};

const Fill = ({ columns, series, top }: { columns: readonly Column[]; series: Series; top: number }) => {
  const path = linePath(
    columns.map((column) => countIn(column, series)),
    top,
  );
  const x = (n: number) => (((n + 0.5) / columns.length) * 100).toFixed(2);
  return columns.length > 0 && <path className="chart-fill" d={`${path}L${x(columns.length - 1)} 100L${x(0)} 100Z`} />;
};

type BarProps = { column: Column; series: readonly Series[]; percent: (count: number) => string; isOver: boolean };

const Bar = ({ column, series, percent, isOver }: BarProps) => {
  const sum = series.reduce((total, one) => total + countIn(column, one), 0);
  return (
    <span data-over={isOver || undefined}>
      {series.map((one) => {
        const count = countIn(column, one);
        return count > 0 && <b key={one.name} data-tone={one.tone} style={{ height: percent(count) }} />;
      })}
      {(column.expected ?? 0) > sum && (
        <b className="chart-expected" style={{ height: percent((column.expected ?? 0) - sum) }} />
      )}
    </span>
  );
};

type ReadOutProps = {
  column: Column;
  series: readonly Series[];
  zone: string;
  /** Share of the width. */
  at: number;
  before: { label: string; value: number | undefined } | undefined;
};

const ReadOut = ({ column, series, zone, at, before }: ReadOutProps) => (
  <>
    <span className="chart-cursor" style={{ left: `${100 * at}%` }} />
    <dl className="chart-tip" data-side={at > 0.5 ? "left" : "right"} style={{ left: `${100 * at}%` }} aria-hidden>
      <div>
        <dt>{columnText(column, zone)}</dt>
      </div>
      {series.map((one) => (
        <div key={one.name}>
          <dt>{one.label}</dt>
          <dd>{numberText(countIn(column, one))}</dd>
        </div>
      ))}
      {before?.value !== undefined && (
        <div>
          <dt>{before.label}</dt>
          <dd>{numberText(before.value)}</dd>
        </div>
      )}
    </dl>
  </>
);
