import type { Encoding } from "../../../../../lib/imports/decode.ts";
import type { Delimiter } from "../../../../../lib/imports/delimiter.ts";
import { headOf } from "../../../../../lib/imports/head.ts";
import { PREVIEW } from "../../../../../lib/imports/preview.ts";
import { type CsvRecord, type Form, readRecords } from "../../../../../lib/imports/records.ts";
import { createFingerprint, MAX_FILE, type Source, slicesOf } from "./slices.ts";

/** CSV options chosen by the person. */
export type Asked = { encoding?: Encoding | undefined; delimiter?: Delimiter | undefined };

/** A parsed file. `sample`: first rows. `rows`: count without the header. */
export type FileRead = {
  name: string;
  bytes: number;
  form: Form;
  columns: string[];
  preview: string[][];
  sample: CsvRecord[];
  rows: number;
  fingerprint: string;
};

const SAMPLE = 100;

const inWordsOfThePage = (problem: string): string =>
  problem
    .replace(/name its encoding: \?encoding=(\S+)/, 'choose its encoding: "$1"')
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
  for await (const piece of readRecords(source, asked)) {
    if ("problem" in piece) return { problem: inWordsOfThePage(piece.problem) };
    form = piece.form;
    count += piece.records.length;
    if (head.length <= SAMPLE) head.push(...piece.records.slice(0, SAMPLE + 1 - head.length));
  }
  const read = headOf(head.slice(0, Math.max(PREVIEW, SAMPLE) + 1));
  if ("problem" in read) return read;
  if (!form) return { problem: "The file is empty." };
  const { columns, preview, rows: sample } = read;
  return {
    name: file.name.slice(-200),
    bytes: file.size,
    form,
    columns,
    preview,
    sample,
    rows: count - 1,
    fingerprint: fingerprint.text(),
  };
};
