export const cursorOf = (value: unknown): string =>
  new TextEncoder().encode(JSON.stringify(value)).toBase64({ alphabet: "base64url", omitPadding: true });

export const readCursor = (cursor: string): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(Uint8Array.fromBase64(cursor, { alphabet: "base64url" })));
  } catch {
    return undefined;
  }
};
