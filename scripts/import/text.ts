import { readsConsent } from "../../src/lib/imports/signs.ts";
import { count, printable, table } from "../lib/cli.ts";
import type { Shown, Values } from "./types.ts";

const CELL = 40;
const PREVIEW_CELL = 20;

export const mappingText = ({ id, columns, preview, rows }: Shown, mapping: Shown["mapping"]): string => {
  const sample = (index: number) => preview.map((row) => row[index] ?? "").find((cell) => cell !== "") ?? "";
  const lines = columns.map((name, index) => [name, mapping[name] ?? "(ignored)", sample(index).slice(0, CELL)]);
  return `Import ${id}: ${count(rows, "row")}\n\n${table(["column", "becomes", "first value"], lines)}`;
};

/** Lines about columns that say who gets no mail, and about dates that may mean two things. */
export const warningsOf = (
  { name, columns, consent = [], fileSaysNo, dates = {} }: Shown,
  mapping: Shown["mapping"],
  values: Values,
): string[] => {
  if (values["all-unsubscribed"]) return ["Nobody in the file is subscribed: --all-unsubscribed."];
  if (values["suppress-as"]) return ["The addresses are suppressed. No contact is created."];
  const answers = consent
    .filter(({ cells }) => cells.length > 0)
    .map((one) => {
      const { column, says, cells } = one;
      const unknown = cells.find((cell) => cell.says === "unknown");
      const isRead = readsConsent(mapping[column], one);
      const how = isRead ? "They are not subscribed." : "THEY WOULD BE SUBSCRIBED, since the column is not read so.";
      const noes = `${count(says, "cell")} of the file ${says === 1 ? "says" : "say"} "no mail". ${how}`;
      const asks = `${count(unknown?.rows ?? 0, "cell")} with ${JSON.stringify(unknown?.cell)} may say it: --map "COLUMN=…" decides.`;
      return `${printable(column)}: ${[...(says > 0 ? [noes] : []), ...(unknown && !isRead ? [asks] : [])].join(" ")}`;
    });
  const named = fileSaysNo ? [`The name ${name} says that its people get no mail: --all-unsubscribed.`] : [];
  const ordered = columns.filter((column) => dates[column] === "unclear" && mapping[column] != null);
  const unclear = ordered.map(
    (column) => `${printable(column)}: dates such as 01/02/2024 need --dates "COLUMN=ORDER".`,
  );
  return [...answers, ...named, ...unclear];
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
