import Papa from "papaparse";
import { withoutBlanksBeforeQuotes } from "./blanks-before-quotes.ts";
import { BYTES_FOR_ENCODING, type Decoder, decoderOf, type Encoding, notOfEncoding } from "./decode.ts";
import { type Delimiter, delimiterOf, SEP } from "./delimiter.ts";
import { proposeEncodings } from "./propose-encodings.ts";

/** A longer row is a quote that is never closed. */
const MAX_ROW = 16_000_000;
/** Each cell costs memory, also an empty one. */
const MAX_DELIMITERS = 1_000_000;
/** Rows of a file, and those without a value that a spreadsheet may add. */
const MAX_ROWS = 5_000_000;
const MAX_BLANK_ROWS = 1_100_000;
/** Empty lines that are counted without the parser. */
const EMPTY_LINES = "\n".repeat(16);
const LINE_FEED = 10;
/** No field takes more than 500 characters, so a longer cell is refused anyway. */
export const MAX_CELL = 500;
const MAX_CELLS = 1_000;
const HEAD = 65_536;
const PIECE = 262_144;

/** `line`: its start, from 1. `problem`: reason why the cells are uncertain. */
export type CsvRecord = { line: number; cells: string[]; problem?: string };

export type Form = { encoding: Encoding; delimiter: Delimiter };

export type Piece = { form: Form; records: CsvRecord[] } | { problem: string };

type Asked = { encoding?: Encoding | undefined; delimiter?: Delimiter | undefined };

/** Reads CSV rows with one piece and one row in memory. The last piece may be a problem. */
export async function* readRecords(source: AsyncIterable<Uint8Array>, asked: Asked): AsyncGenerator<Piece> {
  let reader: ReturnType<typeof createReader> | undefined;
  let text = "";
  for await (const decoded of decodedPieces(source, asked.encoding)) {
    if ("problem" in decoded) {
      const line = reader?.line(decoded.rest) ?? linesIn(text + decoded.rest) + 1;
      yield { problem: decoded.problem(line) };
      return;
    }
    const { isLast } = decoded;
    text += decoded.text;
    const nul = text.indexOf("\0");
    if (nul !== -1) {
      const before = text.slice(0, nul);
      const line = reader?.line(before) ?? linesIn(before) + 1;
      yield {
        problem: `Line ${line} has a character with the code 0: the file is damaged there, is no text, or is UTF-16 without a byte order mark. Save it as "CSV UTF-8", or delete the character.`,
      };
      return;
    }
    if (!isLast && text.length < (reader ? PIECE : HEAD)) continue;
    reader ??= createReader({ encoding: decoded.encoding, delimiter: delimiterOf(text, asked.delimiter) });
    const piece = reader.read(text, isLast);
    text = "";
    yield piece;
    if ("problem" in piece) return;
  }
}

type Decoded = { text: string; isLast: boolean; encoding: Encoding };
type NotDecoded = { problem: (line: number) => string; rest: string };

async function* decodedPieces(
  source: AsyncIterable<Uint8Array>,
  asked: Encoding | undefined,
): AsyncGenerator<Decoded | NotDecoded> {
  let decoder: Decoder | undefined;
  let head: Uint8Array = new Uint8Array();
  let pendingReturn = "";
  async function* pieces() {
    for await (const bytes of source) yield { bytes, isLast: false };
    yield { bytes: new Uint8Array(), isLast: true };
  }
  for await (const { bytes: arrived, isLast } of pieces()) {
    let bytes = arrived;
    if (!decoder) {
      bytes = joined(head, arrived);
      if (bytes.length < BYTES_FOR_ENCODING && !isLast) {
        head = bytes;
        continue;
      }
      const found = decoderOf(bytes, asked);
      if ("problem" in found) {
        yield { problem: () => found.problem, rest: "" };
        return;
      }
      decoder = found;
    }
    const { encoding } = decoder;
    const text = decoder.decode(bytes, isLast);
    if (text === undefined) {
      const valid = decoder.valid(bytes);
      const proposed = encoding === "utf-8" ? proposeEncodings(bytes, new TextEncoder().encode(valid).length) : [];
      yield {
        problem: (line) => notOfEncoding(encoding, line, proposed),
        rest: pendingReturn + valid,
      };
      return;
    }
    const whole = pendingReturn + text;
    pendingReturn = !isLast && whole.endsWith("\r") ? "\r" : "";
    yield {
      text: whole.slice(0, whole.length - pendingReturn.length).replaceAll(/\r\n?/g, "\n"),
      isLast,
      encoding,
    };
  }
}

const joined = (one: Uint8Array, two: Uint8Array): Uint8Array => {
  if (one.length === 0) return two;
  const both = new Uint8Array(one.length + two.length);
  both.set(one);
  both.set(two, one.length);
  return both;
};

/** Long runs of empty lines. A regular expression would need a stack of their length. */
function* emptyLinesIn(text: string): Generator<{ index: number; end: number }> {
  for (let index = text.indexOf(EMPTY_LINES); index !== -1; ) {
    let end = index + EMPTY_LINES.length;
    while (text.charCodeAt(end) === LINE_FEED) end += 1;
    yield { index, end };
    index = text.indexOf(EMPTY_LINES, end);
  }
}

const linesIn = (text: string): number => text.split("\n").length - 1;

type Parsed = { data: string[][]; errors: { code: string; row: number }[]; meta: { cursor: number } };
type Parser = { parse(text: string, base: number, ignoresLastRow: boolean): Parsed };
// The package's types lack the parser options.
const parserOf = (delimiter: Delimiter): Parser =>
  new (Papa.Parser as unknown as new (config: object) => Parser)({ delimiter, newline: "\n" });

const quoteProblem = (first: number, last: number): string => {
  const where = last > first ? ` Lines ${first} to ${last} were read as one row.` : "";
  return `Text follows a closing quote. A quote inside a cell must be doubled.${where}`;
};

const createReader = (form: Form) => {
  let rest = "";
  let line = 1;
  let enough = 0;
  let rows = 0;
  let blanks = 0;

  const recordsOf = ({ data, errors }: Parsed): CsvRecord[] => {
    const faults = new Set(errors.filter(({ code }) => code === "InvalidQuotes").map(({ row }) => row));
    const records: CsvRecord[] = [];
    for (const [index, cells] of data.entries()) {
      const at = line;
      line += 1 + cells.reduce((sum, cell) => sum + (cell.includes("\n") ? linesIn(cell) : 0), 0);
      rows += 1;
      if (cells.every((cell) => cell.trim() === "")) {
        blanks += 1;
        continue;
      }
      if (at === 1 && SEP.test(cells.join(form.delimiter))) continue;
      const problem = faults.has(index)
        ? quoteProblem(at, line - 1)
        : cells.length > MAX_CELLS
          ? `The row has ${cells.length} cells; at most ${MAX_CELLS} are possible.`
          : undefined;
      const kept = cells.slice(0, MAX_CELLS).map(cleaned);
      records.push({ line: at, cells: kept, ...(problem === undefined ? {} : { problem }) });
    }
    return records;
  };

  const parse = (text: string, isLast: boolean): Parsed => parserOf(form.delimiter).parse(text, 0, !isLast);

  /** Takes the rows before long runs of empty lines, and counts those lines. */
  const skipEmptyLines = (): CsvRecord[] => {
    const records: CsvRecord[] = [];
    let at = 0;
    for (const { index, end } of emptyLinesIn(rest)) {
      if (index > at) {
        const parsed = parse(rest.slice(at, index + 1), false);
        // The run is in a quoted cell.
        if (parsed.meta.cursor < index + 1 - at) break;
        records.push(...recordsOf(parsed));
        line += end - index - 1;
      } else line += end - index;
      at = end;
    }
    rest = rest.slice(at);
    return records;
  };

  return {
    line: (more: string): number => line + linesIn(rest + more),

    read(text: string, isLast: boolean): Piece {
      rest += text;
      if (!isLast && rest.length < enough) return { form, records: [] };
      const early = skipEmptyLines();
      rest = withoutBlanksBeforeQuotes(rest, form.delimiter);
      const parsed = parse(rest, isLast);
      if (parsed.errors.some(({ code }) => code === "MissingQuotes") && isLast) {
        const at = line + linesIn(rest.slice(0, startOfLastRow(form, rest)));
        return {
          problem: `The row that begins in line ${at} has a quote that is never closed. Close it, or double a quote inside a cell.`,
        };
      }
      rest = isLast ? "" : rest.slice(parsed.meta.cursor);
      enough = rest.length * 2;
      const records = [...early, ...recordsOf(parsed)];
      const excess = excessOf(rest, form);
      if (excess !== undefined)
        return { problem: `The row that begins in line ${line} has more than ${excess}. Is a quote not closed?` };
      if (rows > MAX_ROWS) return { problem: `The file has more than ${MAX_ROWS / 1e6} million rows. Split it.` };
      return blanks > MAX_BLANK_ROWS
        ? { problem: `The file has more than ${MAX_BLANK_ROWS / 1e6} million rows without a value. Delete them.` }
        : { form, records };
    },
  };
};

const excessOf = (rest: string, { delimiter }: Form): string | undefined => {
  if (rest.length > MAX_ROW) return `${MAX_ROW / 1e6} million characters`;
  if (rest.length <= MAX_DELIMITERS) return undefined;
  let delimiters = 0;
  for (let at = rest.indexOf(delimiter); at !== -1; at = rest.indexOf(delimiter, at + 1)) delimiters += 1;
  return delimiters > MAX_DELIMITERS ? "a million cells" : undefined;
};

const startOfLastRow = ({ delimiter }: Form, text: string): number =>
  parserOf(delimiter).parse(text, 0, true).meta.cursor;

const cleaned = (cell: string): string => {
  const text = cell.trim();
  return text.length > MAX_CELL ? text.slice(0, MAX_CELL + 1) : text;
};
