/** A value of JSON as a cursor, which any text may be in. */
export const cursorOf = (value: unknown): string =>
  new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });

/** The value of a cursor; undefined for a text that is no cursor. */
export const readCursor = (cursor: string): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: "base64url" })));
  } catch {
    return undefined;
  }
};
