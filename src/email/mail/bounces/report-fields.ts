/** Header or report fields by lower-case name; the first duplicate counts. */
export type ReportFields = ReadonlyMap<string, string>;

const MAX_GROUPS = 20;
const MAX_VALUE = 2_000;

/** Parses field groups with folded lines (RFC 3464 section 2.1). Lines without a name are omitted. */
export const groupsIn = (text: string): ReportFields[] =>
  text
    .replace(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n+/, MAX_GROUPS)
    .map(fieldsIn)
    .filter(({ size }) => size > 0);

export const fieldsIn = (group: string): ReportFields => {
  const fields = new Map<string, string>();
  for (const line of group
    .replace(/\r\n?/g, "\n")
    .replace(/\n[ \t]+/g, " ")
    .split("\n")) {
    const [, name, value = ""] = /^([A-Za-z][A-Za-z0-9-]{0,60})[ \t]*:[ \t]*(.*)$/.exec(line) ?? [];
    const key = name?.toLowerCase();
    if (key !== undefined && !fields.has(key)) fields.set(key, value.trim().slice(0, MAX_VALUE));
  }
  return fields;
};

export const headerIn = (mail: string): ReportFields =>
  fieldsIn(mail.replace(/\r\n?/g, "\n").split("\n\n", 1)[0] ?? "");

/** Reads the address of a field such as `rfc822; ada@example.com` or `<ada@example.com>`. */
export const addressIn = (value: string | undefined): string | undefined => {
  const plain = (value ?? "")
    .replace(/^\s*[\w.-]+\s*;\s*/, "")
    // Non-ASCII address characters in an ASCII report (RFC 6533 section 3).
    .replace(/\\x\{([0-9A-Fa-f]{2,6})\}/g, (all, hex: string) => {
      const point = Number.parseInt(hex, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : all;
    });
  const [, address] = /([^\s<>"(),;:]{1,64}@[^\s<>"(),;:@]{1,255})/.exec(plain) ?? [];
  return address?.replace(/\.$/, "");
};
