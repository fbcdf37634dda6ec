import { addedTally, type ColumnTally, type Counted, tallyOf } from "../../../../../lib/imports/consent/tally.ts";
import type { Encoding } from "../../../../../lib/imports/decode.ts";
import type { Delimiter } from "../../../../../lib/imports/delimiter.ts";
import { headOf } from "../../../../../lib/imports/head.ts";
import { PREVIEW } from "../../../../../lib/imports/preview.ts";
import { type CsvRecord, type Form, readRecords } from "../../../../../lib/imports/records.ts";
import { type Signs, signsOf } from "../../../../../lib/imports/signs.ts";
import { createFingerprint, MAX_FILE, type Source, slicesOf } from "./slices.ts";

/** CSV options chosen by the person. */
export type Asked = { encoding?: Encoding | undefined; delimiter?: Delimiter | undefined };

/** A parsed file. `sample`: first rows. `rows`: count without the header. `counted`: cells of all rows. */
export type FileRead = {
  name: string;
  bytes: number;
  form: Form;
  columns: string[];
  preview: string[][];
  sample: CsvRecord[];
  signs: Signs;
  counted: Counted;
  rows: number;
  fingerprint: string;
};

const SAMPLE = 100;

const inWordsOfThePage = (problem: string): string =>
  problem
    .replace("name its encoding:", "choose its encoding:")
    .replaceAll(/\?encoding=(\S+) reads/g, '"$1" reads')
    .replace(/name it: \?encoding=(\S+?)\)/, 'choose it: "$1")');

/**
 * Reads the whole file and keeps the first rows. Unreadable files are refused before anything is sent.
 *
 * @param onProgress share from 0 to 1
 */
export const readFile = async (
  file: Source,
  asked: Asked,
  { signal, onProgress = () => {} }: { signal?: AbortSignal; onProgress?: (share: number) => void } = {},
): Promise<FileRead | { problem: string }> => {
  if (file.size > MAX_FILE)
    return {
      problem: `A file may have at most ${MAX_FILE / 1e6} MB. Split it, with the names of the columns in the first row of each part.`,
    };
  const fingerprint = createFingerprint();
  const source = slicesOf(file, async (bytes, read) => {
    signal?.throwIfAborted();
    onProgress(read / file.size);
    await fingerprint.add(bytes);
  });
  const head: CsvRecord[] = [];
  let count = 0;
  let form: Form | undefined;
  let tallies: ColumnTally[] | undefined;
  let names: readonly string[] | undefined;
  for await (const piece of readRecords(source, asked)) {
    if ("problem" in piece) return { problem: inWordsOfThePage(piece.problem) };
    form = piece.form;
    names ??= piece.records[0]?.cells;
    if (piece.records.length > 0)
      tallies = addedTally(tallies, tallyOf(names ?? [], count === 0 ? piece.records.slice(1) : piece.records));
    count += piece.records.length;
    if (head.length <= SAMPLE) head.push(...piece.records.slice(0, SAMPLE + 1 - head.length));
  }
  const read = headOf(head.slice(0, Math.max(PREVIEW, SAMPLE) + 1));
  if ("problem" in read) return read;
  if (!form) return { problem: "The file is empty." };
  const { columns, preview, rows: sample } = read;
  const counted = { rows: count - 1, columns: tallies ?? [] };
  return {
    name: file.name.slice(-200),
    bytes: file.size,
    form,
    columns,
    preview,
    sample,
    counted,
    signs: signsOf({ name: file.name.slice(-200), columns, counted }),
    rows: count - 1,
    fingerprint: fingerprint.text(),
  };
};
