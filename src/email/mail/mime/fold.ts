/** Longest line with an encoded word (RFC 2047 section 2). */
export const LINE = 76;

/**
 * Folds a header field before its tokens (RFC 5322 section 2.2.3).
 *
 * @param tokens each with its leading white space
 */
export const fold = (name: string, tokens: readonly string[]): string => {
  let field = `${name}:`;
  let length = field.length;
  tokens.forEach((token, index) => {
    if (index > 0 && length + token.length > LINE) {
      field += "\r\n";
      length = 0;
    }
    field += token;
    length += token.length;
  });
  return `${field}\r\n`;
};

/** Keeps the leading spaces of each word. */
export const tokensOf = (text: string): string[] => ` ${text}`.match(/ +[^ ]+/g) ?? [];
