import "./list.css";
import { Checkbox } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import { type ComponentProps, type ReactNode, useRef } from "react";
import { useListKeys } from "./list-keys.ts";

/**
 * A column. `isNumber`: right-aligned, and named on a phone. `onPhone`: false hides the column there, "beside" puts the
 * cell at the right of the name, "named" puts the title before it.
 */
export type Column<T> = {
  title: string;
  cell: (row: T) => ReactNode;
  width?: number | string;
  isNumber?: boolean;
  onPhone?: false | "beside" | "named";
};

/** Selected ids. `nameOf` labels rows for screen readers. */
export type Selection<T> = {
  selected: ReadonlySet<string>;
  toggle: (ids: readonly string[], on: boolean) => void;
  nameOf: (row: T) => string;
};

type Props<T> = {
  /** Name of the list for screen readers, such as "webhooks". */
  what: string;
  rows: readonly T[];
  columns: readonly Column<T>[];
  idOf: (row: T) => string;
  selection?: Selection<T> | undefined;
  /** One line a row: 42 px. */
  isCompact?: boolean;
  /** False: the head is for screen readers only. */
  hasHead?: boolean;
};

/** Rows as a card. A `RowLink` in the first cell makes the whole row a link. Keys: j and k move, x selects. */
export const ListTable = <T,>({ what, rows, columns, idOf, selection, isCompact, hasHead = true }: Props<T>) => {
  const body = useRef<HTMLTableSectionElement>(null);
  useListKeys(body);
  return (
    <div className="list">
      <table aria-label={what} data-compact={isCompact || undefined}>
        <thead className={hasHead ? undefined : "hidden-text"}>
          <tr>
            {selection && (
              <th className="list-tick">
                {hasHead ? <SelectAll ids={rows.map(idOf)} what={what} selection={selection} /> : "Selected"}
              </th>
            )}
            {columns.map(({ title, width, isNumber }) => (
              <th key={title} style={{ width }} data-number={isNumber}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} data-rows>
          {rows.map((row) => (
            <tr key={idOf(row)} data-selected={selection?.selected.has(idOf(row)) || undefined}>
              {selection && (
                <td className="list-tick">
                  <Checkbox
                    size="xs"
                    aria-label={`Select ${selection.nameOf(row)}`}
                    checked={selection.selected.has(idOf(row))}
                    onChange={({ currentTarget }) => selection.toggle([idOf(row)], currentTarget.checked)}
                  />
                </td>
              )}
              {columns.map(({ title, cell, isNumber, onPhone }) => (
                <td key={title} data-title={title} data-number={isNumber} data-phone={onPhone?.toString()}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
};

const SelectAll = <T,>({ ids, what, selection }: { ids: readonly string[]; what: string; selection: Selection<T> }) => {
  const count = ids.filter((id) => selection.selected.has(id)).length;
  return (
    <Checkbox
      size="xs"
      aria-label={`Select all ${what} on this page`}
      checked={count > 0 && count === ids.length}
      indeterminate={count > 0 && count < ids.length}
      onChange={({ currentTarget }) => selection.toggle(ids, currentTarget.checked)}
    />
  );
};

type NameProps = ComponentProps<"a"> & { second?: ReactNode; lead?: ReactNode };

const Name = ({ second, lead, className = "", ...anchor }: NameProps) => (
  <span className="list-name">
    {lead}
    <span>
      <a {...anchor} className={`list-cover ${className}`} />
      {second !== undefined && <Second>{second}</Second>}
    </span>
  </span>
);

/** The link of a row, with a second line and a tile before both. It covers the row. */
export const RowLink = createLink(Name);

type CardProps = ComponentProps<"a"> & { picture: ReactNode; facts?: ReactNode };

const Card = ({ picture, facts, className = "", ...anchor }: CardProps) => (
  <div className="gallery-card">
    {picture}
    <div className="gallery-foot">
      <a {...anchor} className={`list-cover ${className}`} />
      {facts}
    </div>
  </div>
);

/** A card of a gallery: its link covers it. `facts`: beside the name. */
export const CardLink = createLink(Card);

/** The second line of a cell. */
export const Second = ({ children }: { children: ReactNode }) => <span className="list-second">{children}</span>;

/** A text with its matches of a search marked, in any case. */
export const Marked = ({ text, query }: { text: string; query: string | undefined }) => {
  const at = query === undefined || query === "" ? -1 : text.toLowerCase().indexOf(query.toLowerCase());
  if (query === undefined || at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + query.length)}</mark>
      <Marked text={text.slice(at + query.length)} query={query} />
    </>
  );
};
