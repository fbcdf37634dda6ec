export const ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1250",
  "windows-1251",
  "windows-1252",
  "windows-1253",
  "windows-1254",
  "windows-1255",
  "windows-1256",
  "windows-1257",
  "windows-1258",
  "macintosh",
  "shift_jis",
  "gb18030",
  "big5",
  "euc-kr",
] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Bytes needed to detect the encoding. */
export const BYTES_FOR_ENCODING = 4;

const BYTE_ORDERS: readonly (readonly [Encoding, readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

const text = (start: string): readonly number[] => [...start].map((char) => char.charCodeAt(0));

const OTHER_FILES: readonly (readonly [string, readonly number[]])[] = [
  ["an Excel workbook or a ZIP archive", [0x50, 0x4b, 0x03, 0x04]],
  ["an old Excel workbook", [0xd0, 0xcf, 0x11, 0xe0]],
  ["compressed with gzip", [0x1f, 0x8b]],
  ["a PDF", [0x25, 0x50, 0x44, 0x46]],
  ["an HTML page", text("<!DO")],
  ["an HTML page", text("<!do")],
  ["an HTML page", text("<htm")],
  ["XML", text("<?xm")],
  ["JSON", text('{"')],
  ["JSON", text("[{")],
];

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

export type Decoder = {
  encoding: Encoding;
  decode(bytes: Uint8Array, isLast: boolean): string | undefined;
  /** The text before the first invalid byte. */
  valid(bytes: Uint8Array): string;
};

/**
 * Detects the encoding by byte order mark, else `asked` or UTF-8. It never guesses: a wrong guess would silently
 * damage names.
 */
export const decoderOf = (head: Uint8Array, asked?: Encoding): Decoder | { problem: string } => {
  const [other] = OTHER_FILES.find(([, start]) => startsWith(head, start)) ?? [];
  if (other !== undefined) return { problem: `The file is ${other}. Save it as CSV in UTF-8, and upload that file.` };
  const [marked] = BYTE_ORDERS.find(([, start]) => startsWith(head, start)) ?? [];
  const encoding = marked ?? asked ?? "utf-8";
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: false });
  return {
    encoding,
    decode(bytes, isLast) {
      try {
        return decoder.decode(bytes, { stream: !isLast });
      } catch {
        return undefined;
      }
    },
    valid: (bytes) => new TextDecoder(encoding).decode(bytes).split("\ufffd")[0] ?? "",
  };
};

/** The error for another encoding. `line`: end of the decoded text. `proposed`: encodings that read the line. */
export const notOfEncoding = (
  encoding: Encoding,
  line: number,
  proposed: readonly { encoding: Encoding; reads: string }[],
): string => {
  const ways = proposed.map((one) => `?encoding=${one.encoding} reads "${one.reads}" there`).join(", ");
  const or = ways === "" ? "" : `, or name its encoding: ${ways}`;
  return `Near line ${line} the file has bytes that are not ${encoding.toUpperCase()}. Save it as "CSV UTF-8"${or}.`;
};
