/** Reply of an SMTP server (RFC 5321 section 4.2). */
export type Reply = {
  code: number;
  /** Enhanced code (RFC 3463), such as "5.1.1". */
  enhanced?: string;
  /** Text of all lines, without codes and control characters, at most 500 characters. */
  text: string;
  /** Text of each line: EHLO has one keyword per line. */
  lines: readonly string[];
};

/** RFC 5321 section 4.5.3.1.5 allows 512 bytes for a line; servers exceed it. */
const MAX_LINE = 2_048;
const MAX_LINES = 128;
const MAX_TEXT = 500;

const LF = 10;
const CR = 13;
const NOTHING = new Uint8Array();
const decoder = new TextDecoder();

/** Parses replies from chunks of any size. Throws on an invalid or too long line or reply. */
export const createReplyReader = () => {
  let rest: Uint8Array = NOTHING;
  let lines: string[] = [];
  let code = 0;
  const replies: Reply[] = [];

  const take = (bytes: Uint8Array): void => {
    const end = bytes.at(-1) === CR ? bytes.length - 1 : bytes.length;
    const line = decoder.decode(bytes.subarray(0, end));
    const [, digits = "", more, text = ""] = /^([2-5]\d\d)(?:([ -])(.*))?$/s.exec(line) ?? [];
    if (digits === "" || (lines.length > 0 && Number(digits) !== code)) {
      throw new Error(`The mail provider sent a line that is no SMTP reply: ${clean(line).slice(0, 80)}`);
    }
    code = Number(digits);
    lines.push(clean(text));
    if (lines.length > MAX_LINES) throw new Error(`The mail provider sent a reply of more than ${MAX_LINES} lines.`);
    if (more === "-") return;
    replies.push(toReply(code, lines));
    lines = [];
  };

  return {
    feed(chunk: Uint8Array): void {
      let from = 0;
      for (let lf = chunk.indexOf(LF); lf >= 0; lf = chunk.indexOf(LF, from)) {
        const piece = chunk.subarray(from, lf);
        if (rest.length + piece.length > MAX_LINE) throw tooLong();
        take(rest.length === 0 ? piece : concat(rest, piece));
        rest = NOTHING;
        from = lf + 1;
      }
      if (from === chunk.length) return;
      const left = chunk.subarray(from);
      if (rest.length + left.length > MAX_LINE) throw tooLong();
      rest = concat(rest, left);
    },
    next: (): Reply | undefined => replies.shift(),
    hasMore: (): boolean => replies.length > 0 || lines.length > 0 || rest.length > 0,
  };
};

const toReply = (code: number, lines: readonly string[]): Reply => {
  let enhanced: string | undefined;
  let text = "";
  for (const line of lines) {
    const found = enhancedOf(code, line);
    enhanced ??= found;
    text += `${found === undefined ? line : line.slice(found.length + 1)} `;
  }
  text = text.trim().slice(0, MAX_TEXT);
  return { code, ...(enhanced ? { enhanced } : {}), text, lines };
};

/** RFC 2034 section 4: the class is the first digit of the code. */
const enhancedOf = (code: number, line: string): string | undefined => {
  const [, found] = /^([245]\.\d{1,3}\.\d{1,3})(?: |$)/.exec(line) ?? [];
  return found?.[0] === String(code)[0] ? found : undefined;
};

const clean = (text: string): string => text.replaceAll(/\p{Cc}+/gu, " ");

const tooLong = () => new Error(`The mail provider sent a line of more than ${MAX_LINE} bytes.`);

const concat = (a: Uint8Array, b: Uint8Array): Uint8Array => {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
};
