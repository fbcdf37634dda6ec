const [TAB, LF, CR, SPACE] = [9, 10, 13, 32];

/** RFC 6376 section 3.4.2, without line break. */
export const relaxedField = (field: string): string => {
  const colon = field.indexOf(":");
  const value = field.slice(colon + 1).replace(/\r\n/g, "");
  return `${field.slice(0, colon).trimEnd().toLowerCase()}:${value.replace(/[ \t]+/g, " ").replace(/^ | $/g, "")}`;
};

/**
 * Canonicalizes a body (RFC 6376 section 3.4.4).
 *
 * @param body with CRLF line breaks only
 */
export const relaxedBody = (body: Uint8Array): Uint8Array => {
  const out = new Uint8Array(body.length + 2);
  let end = 0;
  // Line breaks and spaces are written only before other text.
  let breaks = 0;
  let space = false;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at] ?? 0;
    if (byte === CR && body[at + 1] === LF) {
      breaks++;
      space = false;
      at++;
    } else if (byte === SPACE || byte === TAB) space = true;
    else {
      for (; breaks > 0; breaks--) {
        out[end++] = CR;
        out[end++] = LF;
      }
      if (space) out[end++] = SPACE;
      space = false;
      out[end++] = byte;
    }
  }
  if (end === 0) return out.subarray(0, 0);
  out[end++] = CR;
  out[end++] = LF;
  return out.subarray(0, end);
};
