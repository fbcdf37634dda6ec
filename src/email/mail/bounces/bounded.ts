/** Bytes; a report precedes the mail that it returns, which may be large. */
export const MAX_MAIL = 200_000;
const MAX_LINES = 5_000;
const MAX_PARTS = 50;
/** Lines of all headers, and bytes of each field. */
const MAX_HEADER = 500;
const MAX_FIELD = 2_000;

const [TAB, LF, CR, SPACE, DASH] = [9, 10, 13, 32, 45];

/**
 * Returns what a parser may read of a mail: 200 kB, 5,000 lines, 50 parts, and 2,000 bytes of each field. Parsers cost by
 * the line, part and field, not by the byte.
 */
export const boundedMail = (mail: Uint8Array): Uint8Array => {
  const given = mail.subarray(0, MAX_MAIL);
  const boundaries = boundariesIn(given);
  const bounded = new Uint8Array(given.length);
  let length = 0;
  let start = 0;
  let isHeader = true;
  let headerLines = 0;
  let field = 0;
  for (let lines = 0, parts = 0; start < given.length && lines < MAX_LINES; lines += 1) {
    const end = endOfLine(given, start);
    const line = given.subarray(start, end);
    start = end;
    if (isBoundary(line, boundaries)) {
      parts += 1;
      if (parts > MAX_PARTS) break;
      isHeader = true;
      field = 0;
    } else if (isHeader) {
      headerLines += 1;
      if (line[0] !== SPACE && line[0] !== TAB) field = 0;
      field += line.length;
      isHeader = !isEmpty(line);
      if (isHeader && (field > MAX_FIELD || headerLines > MAX_HEADER)) continue;
    }
    bounded.set(line, length);
    length += line.length;
  }
  return bounded.subarray(0, length);
};

const endOfLine = (bytes: Uint8Array, start: number): number => {
  const end = bytes.indexOf(LF, start);
  return end === -1 ? bytes.length : end + 1;
};

const isEmpty = ([first, second]: Uint8Array): boolean => first === LF || (first === CR && second === LF);

/** Boundaries by their bytes: the cost of a line is its length, however many boundaries begin alike. */
type Boundaries = { isEnd: boolean; next: Map<number, Boundaries> };

const isBoundary = (line: Uint8Array, boundaries: Boundaries): boolean => {
  if (line[0] !== DASH || line[1] !== DASH) return false;
  let node: Boundaries | undefined = boundaries;
  for (let at = 2; node !== undefined && !node.isEnd; at += 1) node = node.next.get(line[at] ?? -1);
  return node !== undefined;
};

const boundariesIn = (mail: Uint8Array): Boundaries => {
  const declared = asLatin1(mail).matchAll(/boundary\s{0,3}=\s{0,3}(?:"([^"\r\n]{1,80})"|([^\s";]{1,80}))/gi);
  const found = new Set<string>();
  for (const [, quoted, bare = ""] of declared) {
    found.add((quoted ?? bare).replace(/\\(.)/g, "$1"));
    if (found.size > MAX_PARTS) break;
  }
  const root: Boundaries = { isEnd: false, next: new Map() };
  const encoder = new TextEncoder();
  for (const boundary of found) {
    let node = root;
    for (const byte of encoder.encode(boundary)) {
      const next = node.next.get(byte) ?? { isEnd: false, next: new Map() };
      node.next.set(byte, next);
      node = next;
    }
    node.isEnd = true;
  }
  return root;
};

const latin1 = new TextDecoder("latin1");

/** Returns bytes as text, one character each. */
export const asLatin1 = (bytes: Uint8Array): string => latin1.decode(bytes);
