/** Longest line with an encoded word (RFC 2047 section 2); two fewer than RFC 5322 section 2.1.1 prefers for all lines. */
export const LINE = 76;

/**
 * A header field with its line break, folded before tokens (RFC 5322 section 2.2.3).
 *
 * @param tokens each with the white space before it. A longer one has a line for itself
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

/** The words of a text, each with the spaces before it. */
export const tokensOf = (text: string): string[] => ` ${text}`.match(/ +[^ ]+/g) ?? [];
