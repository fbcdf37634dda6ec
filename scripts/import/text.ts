import { count, printable, table } from "../lib/cli.ts";
import type { Shown } from "./types.ts";

const CELL = 40;
const PREVIEW_CELL = 20;

export const mappingText = ({ id, columns, preview, rows }: Shown, mapping: Shown["mapping"]): string => {
  const sample = (index: number) => preview.map((row) => row[index] ?? "").find((cell) => cell !== "") ?? "";
  const lines = columns.map((name, index) => [name, mapping[name] ?? "(ignored)", sample(index).slice(0, CELL)]);
  return `Import ${id}: ${count(rows, "row")}\n\n${table(["column", "becomes", "first value"], lines)}`;
};

export const previewText = ({ columns, preview, rows }: Shown, width: number): string => {
  const short = (text = "") => printable(text).replaceAll(/\s/g, " ").slice(0, PREVIEW_CELL);
  const widths = columns.map((name, i) =>
    Math.max(...[name, ...preview.map((row) => row[i])].map((text) => short(text).length)),
  );
  let room = width + 2;
  const none = widths.findIndex((one) => {
    room -= one + 2;
    return room < 0;
  });
  const fits = none === -1 ? columns.length : Math.max(1, none);
  const cells = preview.map((row) => columns.slice(0, fits).map((_, i) => short(row[i])));
  const which = fits < columns.length ? `, ${fits} of ${columns.length} columns` : "";
  const many = preview.length < rows ? `The first ${preview.length} of ${count(rows, "row")}` : count(rows, "row");
  return `${many}${which}:\n\n${table(columns.slice(0, fits).map(short), cells)}`;
};

export const countsText = ({ created, updated, unchanged, refused }: Shown): string =>
  `${created} created, ${updated} updated, ${unchanged} unchanged, ${refused} refused`;

export const importsText = (all: readonly Shown[]): string =>
  all.length === 0
    ? "The team has no imports."
    : table(
        ["id", "file", "state", "rows"],
        all.map(({ id, name, state, rows, processed }) => [
          id,
          name,
          state,
          state === "running" ? `${processed} of ${rows}` : String(rows),
        ]),
      );
